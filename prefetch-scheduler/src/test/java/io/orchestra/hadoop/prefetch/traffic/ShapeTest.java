package io.orchestra.hadoop.prefetch.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShapeTest {
  @Test
  void whatIsWrittenIsRead() {
    Shape set = new Shape("/rack1:down", 63, 8_000_000, "10.50.1.2", 42511);

    assertThat(set.line()).isEqualTo("set /rack1:down 63 8000000 10.50.1.2 42511");
    assertThat(Shape.parse(set.line())).isEqualTo(set);
    Shape clear = Shape.clear("host", 1);
    assertThat(Shape.parse(clear.line())).isEqualTo(clear).matches(Shape::isClear);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "set",
        "clear host",
        "clear host 0",
        "clear host 64",
        "clear host 1 ",
        "clear host -1",
        "clear host 99999999999999999999",
        "set host 1 0 10.0.0.1 1",
        "set host 1 8000 10.0.0.1",
        "set host 1 8000 10.0.0.256 1",
        "set host 1 8000 10.0.0 1",
        "set host 1 8000 10.0.0.1 0",
        "set host 1 8000 10.0.0.1 65536",
        "set host 1 8000 10.0.0.1 1; qdisc del dev eth0 root",
        "set host 1 8e6 10.0.0.1 1",
        "set ho\tst 1 8000 10.0.0.1 1",
        "qdisc del dev eth0 root",
        "set host 1 8000 10.0.0.1\n 1"
      })
  void nothingElseIs(String line) {
    assertThatThrownBy(() -> Shape.parse(line)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void norIsALineThatIsTooLong() {
    assertThatThrownBy(() -> Shape.parse("clear " + "a".repeat(300) + " 1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("characters");
  }
}
