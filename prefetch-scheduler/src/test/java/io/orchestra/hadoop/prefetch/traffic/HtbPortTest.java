package io.orchestra.hadoop.prefetch.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HtbPortTest {
  private static final String OURS = "qdisc htb f1ec: root refcnt 2 r2q 10 default 0x2\n";
  private static final String FOREIGN = "qdisc htb 42: root refcnt 2 r2q 10 default 0x3\n";
  private static final String END = "qdisc del dev eth9 root handle f1ec:";
  private static final String NO_FILTERS = "filter del dev eth9 parent f1ec:";

  @TempDir private Path directory;
  private FakeTc fake;
  private HtbPort port;

  @BeforeEach
  void start() throws IOException {
    fake = new FakeTc(directory);
    port = new HtbPort(fake.tc(), "eth9", 1_000_000_000);
  }

  @Test
  void whatABeginningThatFailsHasMadeIsTakenAway() throws IOException {
    fake.fails(OURS);
    assertThatThrownBy(port::begin).isInstanceOf(IOException.class).hasMessage("tc: made up");

    assertThat(fake.lines()).last().isEqualTo(END);
  }

  @Test
  void whatSomebodyElseHasMadeMeanwhileIsLeft() throws IOException {
    fake.fails(FOREIGN);
    assertThatThrownBy(port::begin).isInstanceOf(IOException.class).hasMessage("tc: made up");

    assertThat(fake.lines()).doesNotContain(END);
  }

  @Test
  void whatSomebodyElseHasMadeBeforeIsLeft() throws IOException {
    fake.has(FOREIGN);
    assertThatThrownBy(port::begin)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("somebody else");

    assertThat(fake.lines()).isEmpty();
  }

  @Test
  void allRatesOfAClientEndAtOnceAndNextTimeIfThatFails() throws IOException {
    port.begin();
    port.apply(new Shape("host", 1, 8_000_000, "10.0.0.1", 42000));
    port.apply(new Shape("host", 2, 8_000_000, "10.0.0.1", 42001));
    fake.fails(OURS);
    assertThatThrownBy(port::clear).isInstanceOf(IOException.class);
    port.clear();
    port.clear();

    assertThat(fake.lines()).filteredOn(NO_FILTERS::equals).hasSize(2);
    assertThat(fake.lines()).last().isEqualTo(NO_FILTERS);
  }
}
