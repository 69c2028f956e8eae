package io.orchestra.hadoop.prefetch.algorithm.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DelayStateTest {
  private final DelayState delay = new DelayState();

  @Test
  void withoutThresholdsAnyNodeWillDo() {
    assertThat(delay.allowed(10, -1, 0.5)).isEqualTo(Locality.OFF_SWITCH);
    assertThat(delay.allowed(10, 0.5, -1)).isEqualTo(Locality.OFF_SWITCH);
  }

  @Test
  void theFirstOfferMustBeLocalEvenWithAThresholdOfZero() {
    delay.addOpportunity();
    assertThat(delay.allowed(10, 0, 0)).isEqualTo(Locality.NODE_LOCAL);
    delay.addOpportunity();
    assertThat(delay.allowed(10, 0, 0)).isEqualTo(Locality.RACK_LOCAL);
    delay.addOpportunity();
    assertThat(delay.allowed(10, 0, 0)).isEqualTo(Locality.OFF_SWITCH);
  }

  @Test
  void aThresholdAboveOneIsOne() {
    DelayState waited = new DelayState(Locality.NODE_LOCAL, 11);

    assertThat(waited.allowed(10, 5, 5)).isEqualTo(Locality.RACK_LOCAL);
  }

  @Test
  void aNearerContainerMakesItWaitAgainAndAFartherOneDoesNot() {
    DelayState far = new DelayState(Locality.OFF_SWITCH, 0);
    far.allocated(Locality.OFF_SWITCH);
    assertThat(far.allowed(10, 0.5, 0.5)).isEqualTo(Locality.OFF_SWITCH);

    far.allocated(Locality.NODE_LOCAL);
    assertThat(far.allowed(10, 0.5, 0.5)).isEqualTo(Locality.NODE_LOCAL);
  }
}
