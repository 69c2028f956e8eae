package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SlowdownTest {
  @Test
  void theFactorIsThatOfTheGeometricMeans() {
    Slowdown slowdown = Slowdown.of(new double[] {100, 400}, new double[] {300, 1200});

    assertThat(slowdown.factor()).isCloseTo(3, within(1e-9));
    // t = log 3 / log 4 * sqrt 2 = 1.1207, with two degrees of freedom.
    assertThat(slowdown.chance()).isCloseTo(0.1895, within(1e-4));
  }

  @Test
  void shorterTimesAreNoSlowdown() {
    Slowdown slowdown = Slowdown.of(new double[] {800, 820, 840}, new double[] {200, 210, 220});

    assertThat(slowdown.factor()).isLessThan(1);
    assertThat(slowdown.chance()).isGreaterThan(0.99);
  }

  @Test
  void aSingleTimeProvesNothing() {
    assertThat(Slowdown.of(new double[] {200}, new double[] {800, 810, 820}))
        .isEqualTo(new Slowdown(Double.NaN, 1));
  }

  @Test
  void theChanceIsHowOftenNoiseShowsIt() {
    Random random = new Random(1);
    long shown =
        IntStream.range(0, 2000)
            .filter(trial -> Slowdown.of(noise(5, random), noise(9, random)).chance() < 0.1)
            .count();

    assertThat(shown / 2000.0).isCloseTo(0.1, within(0.03));
  }

  private static double[] noise(int count, Random random) {
    return random.doubles(count).map(ignored -> Math.exp(random.nextGaussian())).toArray();
  }
}
