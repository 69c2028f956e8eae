package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SphericalMixtureTest {
  /**
   * No criterion is right each time. By that of Bayes a second Gaussian pays for itself in one of
   * thirty draws of ten points from one, and even true centres give a point in a thousand to the
   * wrong one of two that are 6 spreads apart; so they are 8 apart, and nine of ten answers must be
   * right.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void theScoreFindsHowManyGroupsThereAre(int groups) {
    int[] truth = IntStream.range(0, 10 * groups).map(i -> i % groups).toArray();
    long right =
        IntStream.range(0, 50)
            .filter(
                seed -> {
                  double[][] points = onACircle(truth, groups, 8, new Random(seed));
                  SphericalMixture best = best(points, 1, new Random(seed));
                  return best.means().length == groups
                      && AdjustedRandIndex.of(truth, best.assign(points)) > 0.9;
                })
            .count();

    assertThat(right).isGreaterThanOrEqualTo(45);
  }

  @Test
  void groupsNearerThanTheirSpreadAreOne() {
    int[] truth = IntStream.range(0, 20).map(i -> i % 2).toArray();
    double[][] points = onACircle(truth, 2, 0.8, new Random(1));

    assertThat(best(points, 1, new Random(1)).means()).hasNumberOfRows(1);
    assertThat(best(points, 0.1, new Random(1)).means().length).isGreaterThan(1);
  }

  @Test
  void oneGaussianLiesAtTheMeanAndItsScoreIsKnown() {
    double[][] points = {{0, 0}, {2, 0}, {0, 2}, {2, 2}};

    SphericalMixture one = SphericalMixture.fit(points, 1, 1, new Random(1));

    assertThat(one.means()[0]).containsExactly(new double[] {1, 1}, within(1e-9));
    // Each point lies at a squared distance of 2; the mean's two coordinates were estimated.
    double logLikelihood = 4 * (-1 - Math.log(2 * Math.PI));
    assertThat(one.logLikelihood()).isCloseTo(logLikelihood, within(1e-9));
    assertThat(one.score()).isCloseTo(2 * Math.log(4) - 2 * logLikelihood, within(1e-9));
  }

  @Test
  void weightsAreShares() {
    int[] truth = IntStream.range(0, 40).map(i -> i < 30 ? 0 : 1).toArray();
    double[][] points = onACircle(truth, 2, 20, new Random(1));

    SphericalMixture two = SphericalMixture.fit(points, 2, 1, new Random(1));

    assertThat(Arrays.stream(two.weights()).sorted().toArray())
        .containsExactly(new double[] {0.25, 0.75}, within(1e-6));
  }

  @Test
  void pointsInOnePlaceAreOneGroup() {
    double[][] points = new double[12][2];

    assertThat(best(points, 1, new Random(1)).means()).hasNumberOfRows(1);
  }

  private static SphericalMixture best(double[][] points, double spread, Random random) {
    List<SphericalMixture> all = SphericalMixture.fitAll(points, spread, points.length, random);
    return all.stream().min(Comparator.comparingDouble(SphericalMixture::score)).orElseThrow();
  }

  /** Groups of spread 1 whose centres are neighbours at a given distance. */
  private static double[][] onACircle(int[] truth, int groups, double apart, Random random) {
    double radius = groups == 1 ? 0 : apart / 2 / Math.sin(Math.PI / groups);
    return Arrays.stream(truth)
        .mapToDouble(group -> 2 * Math.PI * group / groups)
        .mapToObj(
            angle ->
                new double[] {
                  radius * Math.cos(angle) + random.nextGaussian(),
                  radius * Math.sin(angle) + random.nextGaussian()
                })
        .toArray(double[][]::new);
  }
}
