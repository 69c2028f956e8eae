package io.orchestra.hadoop.prefetch.algorithm.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class DelayStateTest {
  private final DelayState delay = new DelayState();

  @Test
  void withoutThresholdsAnyNodeWillDo() {
    assertThat(delay.offered(10, -1, 0.5)).isEqualTo(Locality.OFF_SWITCH);
    assertThat(delay.offered(10, 0.5, -1)).isEqualTo(Locality.OFF_SWITCH);
  }

  @Test
  void theFirstOfferMustBeLocalEvenWithAThresholdOfZero() {
    assertThat(delay.offered(10, 0, 0)).isEqualTo(Locality.NODE_LOCAL);
    assertThat(delay.offered(10, 0, 0)).isEqualTo(Locality.RACK_LOCAL);
    assertThat(delay.offered(10, 0, 0)).isEqualTo(Locality.OFF_SWITCH);
  }

  @Test
  void aThresholdAboveOneIsOne() {
    DelayState waited = new DelayState(Locality.NODE_LOCAL, 10);

    assertThat(waited.offered(10, 5, 5)).isEqualTo(Locality.RACK_LOCAL);
  }

  @Test
  void aNearerContainerMakesItWaitAgainAndAFartherOneDoesNot() {
    DelayState far = new DelayState(Locality.OFF_SWITCH, 0);
    far.allocated(Locality.OFF_SWITCH);
    assertThat(far.offered(10, 0.5, 0.5)).isEqualTo(Locality.OFF_SWITCH);

    far.allocated(Locality.NODE_LOCAL);
    assertThat(far.offered(10, 0.5, 0.5)).isEqualTo(Locality.NODE_LOCAL);
  }

  @Test
  void nodesThatWerePassedOverCountAsIfTheyHadBeenOffered() {
    Random random = new Random(1);
    for (int round = 0; round < 1000; round++) {
      DelayState offered = new DelayState();
      DelayState passed = new DelayState();
      int nodes = random.nextInt(1, 20);
      double nodeThreshold = random.nextDouble(1.2);
      double rackThreshold = random.nextDouble(1.2);
      for (int step = 0; step < 20; step++) {
        int full = random.nextInt(15);
        passed.passedOver(full);
        for (int node = 0; node < full; node++) {
          offered.offered(nodes, nodeThreshold, rackThreshold);
        }
        assertThat(passed.offered(nodes, nodeThreshold, rackThreshold))
            .isEqualTo(offered.offered(nodes, nodeThreshold, rackThreshold));
        if (random.nextInt(4) == 0) {
          Locality nearer = Locality.values()[random.nextInt(2)];
          passed.allocated(nearer);
          offered.allocated(nearer);
        }
      }
    }
  }
}
