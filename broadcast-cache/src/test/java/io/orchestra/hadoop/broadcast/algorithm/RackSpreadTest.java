package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class RackSpreadTest {
  /** Of draws without bounds a few are always worse than a test may ask for. */
  private static final String FIXED = "1";

  private static final double INSIDE = MadeUpCluster.INSIDE;

  @Property(tries = 50, seed = FIXED)
  void theTimeInsideRacksIsToldFromThatBetweenThem(@ForAll long seed) {
    double[][] times = MadeUpCluster.of(8, 8, 8).times(new Random(seed)).symmetric();

    assertThat(RackSpread.timeInsideRacks(times)).isBetween(0.85 * INSIDE, 1.15 * INSIDE);
  }

  /**
   * About the lower half of all times is taken. Its median is some 0.67 deviations of the noise
   * below the true one, and the deviation of a pair is 0.5 / √2: about a fifth.
   */
  @Property(tries = 50, seed = FIXED)
  void inOneRackItIsLittleTooShort(@ForAll long seed) {
    double[][] times = MadeUpCluster.of(16).withNoise(0.5).times(new Random(seed)).symmetric();

    assertThat(RackSpread.timeInsideRacks(times)).isBetween(0.5 * INSIDE, INSIDE);
  }

  @Test
  void theSpreadPutsPeersAsFarApartAsTheirTimes() {
    double[][] times = {
      {Double.NaN, 200, 200}, {200, Double.NaN, Double.NaN}, {200, Double.NaN, Double.NaN}
    };
    Random random = new Random(1);

    double spread = RackSpread.of(times, 3);

    double meanDistance =
        random
            .doubles(100_000)
            .map(
                ignored ->
                    Math.sqrt(2)
                        * spread
                        * Math.hypot(
                            random.nextGaussian(),
                            Math.hypot(random.nextGaussian(), random.nextGaussian())))
            .average()
            .orElseThrow();
    assertThat(meanDistance).isCloseTo(200, within(2.0));
  }

  @Test
  void oneTimeIsEnough() {
    double[][] times = {{Double.NaN, 200}, {200, Double.NaN}};

    assertThat(RackSpread.timeInsideRacks(times)).isCloseTo(200, within(1e-9));
  }
}
