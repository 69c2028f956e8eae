package io.orchestra.hadoop.core.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DutyCycleTest {
  private final DutyCycle cycle = new DutyCycle(50);

  @Test
  void restsLongerTheLongerTheWorkTakes() {
    assertThat(cycle.pauseAfter(100)).isZero();
    assertThat(cycle.pauseAfter(100)).isEqualTo(5000);
    assertThat(cycle.pauseAfter(300)).isEqualTo(5000);
    assertThat(cycle.pauseAfter(300)).isEqualTo(15_000);
  }

  @Test
  void oneThatWasHeldUpCostsNothing() {
    cycle.pauseAfter(1);
    cycle.pauseAfter(1);

    assertThat(cycle.pauseAfter(1_000_000)).isEqualTo(50);
    assertThat(cycle.pauseAfter(1)).isEqualTo(50);
  }
}
