package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RackBoundariesTest {
  @Test
  void aClearBoundaryStays() {
    assertThat(clear(times(8, 4, 0.3, 1), 0, 0, 0, 0, 1, 1, 1, 1))
        .containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
  }

  @Test
  void partsOfARackArePutTogetherFirst() {
    assertThat(clear(times(8, 4, 0.3, 1), 0, 0, 2, 2, 1, 1, 3, 3))
        .containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
  }

  @Test
  void aBoundaryThatCostsLittleFalls() {
    assertThat(clear(times(8, 1.3, 0.01, 1), 0, 0, 0, 0, 1, 1, 1, 1)).containsOnly(0);
  }

  @Test
  void withFewTimesThereIsNoProof() {
    assertThat(clear(times(3, 4, 0.3, 1), 0, 0, 1)).containsOnly(0);
  }

  /** Peers are parted so that the times across are as long as possible. */
  @Test
  void theBestOfManyWaysToPartNoiseIsNotClear() {
    long split =
        IntStream.range(0, 300)
            .filter(
                seed -> {
                  double[][] noise = times(6, 1, 0.6, seed);
                  return IntStream.range(1, 1 << 5)
                      .anyMatch(
                          way ->
                              IntStream.of(
                                          clear(
                                              noise,
                                              IntStream.range(0, 6)
                                                  .map(i -> way >> i & 1)
                                                  .toArray()))
                                      .distinct()
                                      .count()
                                  > 1);
                })
            .count();

    assertThat(split / 300.0).isLessThan(0.05);
  }

  /** Two racks of half of the peers each. */
  private static double[][] times(int peers, double crossing, double noise, int seed) {
    Random random = new Random(seed);
    double[][] times = new double[peers][peers];
    for (int i = 0; i < peers; i++) {
      times[i][i] = Double.NaN;
      for (int j = 0; j < i; j++) {
        boolean together = i < peers / 2 == j < peers / 2;
        times[i][j] = (together ? 200 : 200 * crossing) * Math.exp(noise * random.nextGaussian());
        times[j][i] = times[i][j];
      }
    }
    return times;
  }

  private static int[] clear(double[][] times, int... racks) {
    return new RackBoundaries(times, racks).clear();
  }
}
