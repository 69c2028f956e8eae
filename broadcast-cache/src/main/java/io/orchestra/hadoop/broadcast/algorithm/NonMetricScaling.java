package io.orchestra.hadoop.broadcast.algorithm;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Points in few dimensions whose distances are, as far as possible, in the same order as given
 * dissimilarities: Kruskal's non-metric multidimensional scaling (Orchestra, section 5.3).
 *
 * <p>Stress is the part of the distances that no rising function of the dissimilarities explains.
 * Each round replaces the distances by the nearest ones in the right order ({@link
 * IsotonicRegression}; equal dissimilarities may have different distances), then moves all points
 * to where those distances pull them (Guttman's transform), which never raises the stress. One
 * search starts from the metric solution and the others from chance; the one that ends lowest wins.
 *
 * <p>Order alone says nothing about size. The points are therefore scaled so that their distances
 * fit the dissimilarities in least squares, and have their unit.
 *
 * <p>With n points in d dimensions a round takes n² d; there are at most {@value #ROUNDS} a start.
 */
final class NonMetricScaling {
  private static final int STARTS_FROM_CHANCE = 4;
  private static final int ROUNDS = 300;
  private static final double ENOUGH = 1e-4;
  private static final double NO_PROGRESS = 1e-6;

  private final int dimensions;
  private final PairOrder pairs;

  /**
   * @param points one row a point
   * @param stress in [0, 1]
   */
  record Configuration(double[][] points, double stress) {}

  private NonMetricScaling(int dimensions, PairOrder pairs) {
    this.dimensions = dimensions;
    this.pairs = pairs;
  }

  /**
   * @param dissimilarities symmetric, none unknown
   */
  static Configuration scale(double[][] dissimilarities, int dimensions, Random random) {
    PairOrder pairs = new PairOrder(dissimilarities);
    NonMetricScaling scaling = new NonMetricScaling(dimensions, pairs);
    Configuration best =
        IntStream.rangeClosed(0, STARTS_FROM_CHANCE)
            .mapToObj(
                start ->
                    scaling.improve(
                        start == 0
                            ? MetricScaling.scale(dissimilarities, dimensions)
                            : scaling.chance(dissimilarities.length, random)))
            .min(Comparator.comparingDouble(Configuration::stress))
            .orElseThrow();
    return new Configuration(
        multiplied(best.points, pairs.factorFor(pairs.distances(best.points))), best.stress);
  }

  private double[][] chance(int points, Random random) {
    double[][] start = new double[points][dimensions];
    for (double[] point : start) {
      Arrays.setAll(point, axis -> random.nextGaussian());
    }
    return start;
  }

  private Configuration improve(double[][] start) {
    double[][] points = start;
    double before = Double.POSITIVE_INFINITY;
    for (int round = 0; ; round++) {
      double[] distances = pairs.distances(points);
      double[] wished = pairs.inOrder(distances);
      double stress = stress(distances, wished);
      if (stress < ENOUGH || before - stress < NO_PROGRESS || round == ROUNDS) {
        return new Configuration(points, stress);
      }
      before = stress;
      points = pulled(points, distances, wished);
    }
  }

  private static double stress(double[] distances, double[] wished) {
    double error = 0;
    double all = 0;
    for (int pair = 0; pair < distances.length; pair++) {
      double difference = distances[pair] - wished[pair];
      error += difference * difference;
      all += distances[pair] * distances[pair];
    }
    return all == 0 ? 1 : Math.sqrt(error / all);
  }

  /** Guttman's transform, scaled to a mean square distance of 1 lest the points shrink away. */
  private double[][] pulled(double[][] points, double[] distances, double[] wished) {
    double[][] moved = new double[points.length][dimensions];
    double squares = 0;
    for (int pair = 0; pair < distances.length; pair++) {
      int i = pairs.first(pair);
      int j = pairs.second(pair);
      double pull = distances[pair] > 0 ? wished[pair] / distances[pair] : 0;
      for (int axis = 0; axis < dimensions; axis++) {
        double part = pull * (points[i][axis] - points[j][axis]) / points.length;
        moved[i][axis] += part;
        moved[j][axis] -= part;
      }
    }
    for (double distance : pairs.distances(moved)) {
      squares += distance * distance / distances.length;
    }
    return squares == 0 ? points : multiplied(moved, 1 / Math.sqrt(squares));
  }

  private static double[][] multiplied(double[][] points, double factor) {
    return Arrays.stream(points)
        .map(point -> Arrays.stream(point).map(coordinate -> coordinate * factor).toArray())
        .toArray(double[][]::new);
  }
}
