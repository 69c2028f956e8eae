package io.orchestra.hadoop.testbed.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class DrawTest {
  private static final List<String> HOSTS = List.of("a", "b", "c", "d", "e", "f");

  @Test
  void seedAndPurposeDecide() {
    assertThat(new Draw(1, "writers").some(6, HOSTS))
        .isEqualTo(new Draw(1, "writers").some(6, HOSTS))
        .isNotEqualTo(new Draw(2, "writers").some(6, HOSTS))
        .isNotEqualTo(new Draw(1, "readers").some(6, HOSTS));
  }

  @Test
  void everyoneIsDrawnAsOften() {
    int drawn = 0;
    for (int seed = 0; seed < 600; seed++) {
      List<String> some = new Draw(seed, "writers").some(4, HOSTS);
      assertThat(some).hasSize(4).doesNotHaveDuplicates().isSubsetOf(HOSTS);
      drawn += some.contains("a") ? 1 : 0;
    }
    assertThat(drawn).isBetween(350, 450);
  }
}
