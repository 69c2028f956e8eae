package io.orchestra.hadoop.testbed.bench.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class CpuTimesTest {
  private static final String STAT =
      """
      cpu  100 20 30 4000 500 6 7 80 90 10
      cpu0 50 10 15 2000 250 3 3 40 45 5
      cpu1 50 10 15 2000 250 3 4 40 45 5
      intr 12345 0 9
      """;

  @Test
  void waitingForDisksIsIdleAndGuestsAreNotCountedTwice() {
    assertThat(CpuTimes.parse(STAT)).isEqualTo(new CpuTimes(4500, 4743));
  }

  @Test
  void otherTextIsShown() {
    assertThatThrownBy(() -> CpuTimes.parse("intr 5")).hasMessageContaining("intr 5");
  }
}
