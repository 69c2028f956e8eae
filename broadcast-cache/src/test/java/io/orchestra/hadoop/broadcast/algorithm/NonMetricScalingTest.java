package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orchestra.hadoop.broadcast.algorithm.NonMetricScaling.Configuration;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.commons.math3.stat.correlation.PearsonsCorrelation;
import org.junit.jupiter.api.Test;

final class NonMetricScalingTest {
  /** Of draws without bounds a few are always worse than a test may ask for. */
  private static final String FIXED = "1";

  @Property(tries = 20, seed = FIXED)
  void distancesInThePlaneAreFoundAgain(@ForAll long seed) {
    double[][] distances = distances(plane(15, new Random(seed)), x -> x);

    Configuration found = NonMetricScaling.scale(distances, 2, new Random(seed));

    assertThat(found.stress()).isLessThan(0.02);
    assertThat(correlation(distances(found.points(), x -> x), distances)).isGreaterThan(0.99);
  }

  @Property(tries = 20, seed = FIXED)
  void onlyTheOrderOfTheDissimilaritiesMatters(@ForAll long seed) {
    double[][] plane = plane(15, new Random(seed));
    double[][] bent = distances(plane, x -> Math.exp(3 * x));

    Configuration found = NonMetricScaling.scale(bent, 2, new Random(seed));

    assertThat(found.stress()).isLessThan(0.03);
    assertThat(correlation(distances(found.points(), x -> x), distances(plane, x -> x)))
        .isGreaterThan(0.98);
  }

  @Test
  void distancesHaveTheUnitOfTheDissimilarities() {
    double[][] distances = distances(plane(20, new Random(1)), x -> 1000 * x);

    double[][] found = NonMetricScaling.scale(distances, 2, new Random(1)).points();

    assertThat(sum(distances(found, x -> x)) / sum(distances)).isCloseTo(1, within(0.05));
  }

  @Test
  void equalDissimilaritiesMayHaveDifferentDistances() {
    // Four corners of a square, of which only the sides are told from the diagonals.
    double[][] corners = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};

    Configuration found =
        NonMetricScaling.scale(distances(corners, x -> x > 1.2 ? 2 : 1), 2, new Random(1));

    assertThat(found.stress()).isLessThan(0.001);
  }

  @Test
  void inOneDimensionPointsLieInALine() {
    double[][] line = {{0}, {1}, {3}, {7}, {15}};

    Configuration found = NonMetricScaling.scale(distances(line, x -> x), 1, new Random(1));

    double[] places = Arrays.stream(found.points()).mapToDouble(point -> point[0]).toArray();
    double direction = Math.signum(places[4] - places[0]);
    assertThat(Arrays.stream(places).map(place -> direction * place).toArray()).isSorted();
  }

  @Test
  void noiseHasStress() {
    Random random = new Random(1);
    double[][] noise = new double[30][30];
    for (int i = 0; i < 30; i++) {
      for (int j = 0; j < i; j++) {
        noise[i][j] = random.nextDouble();
        noise[j][i] = noise[i][j];
      }
    }

    assertThat(NonMetricScaling.scale(noise, 2, random).stress()).isGreaterThan(0.2);
  }

  private static double[][] plane(int points, Random random) {
    return random
        .doubles(points)
        .mapToObj(x -> new double[] {x, random.nextDouble()})
        .toArray(double[][]::new);
  }

  private static double[][] distances(double[][] points, DoubleUnaryOperator bend) {
    double[][] distances = new double[points.length][points.length];
    for (int i = 0; i < points.length; i++) {
      for (int j = 0; j < points.length; j++) {
        double squares = 0;
        for (int axis = 0; axis < points[i].length; axis++) {
          squares += Math.pow(points[i][axis] - points[j][axis], 2);
        }
        distances[i][j] = i == j ? 0 : bend.applyAsDouble(Math.sqrt(squares));
      }
    }
    return distances;
  }

  private static double sum(double[][] matrix) {
    return Arrays.stream(matrix).flatMapToDouble(Arrays::stream).sum();
  }

  private static double correlation(double[][] one, double[][] other) {
    return new PearsonsCorrelation().correlation(lower(one), lower(other));
  }

  private static double[] lower(double[][] matrix) {
    return IntStream.range(0, matrix.length)
        .boxed()
        .flatMapToDouble(i -> Arrays.stream(matrix[i], 0, i))
        .toArray();
  }
}
