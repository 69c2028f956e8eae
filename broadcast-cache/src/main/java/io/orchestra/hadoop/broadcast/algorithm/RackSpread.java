package io.orchestra.hadoop.broadcast.algorithm;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.math3.special.Gamma;

/**
 * How far the peers of a rack lie from its centre, from the data (Orchestra, section 5.3).
 *
 * <p>The paper sets the spread to the typical time inside a rack, 200 ms there. Two points of a
 * Gaussian in the plane are however √π spreads apart on average, so that this would let peers of a
 * rack be 1.8 times as far apart as they are, and racks whose times differ by less than a factor of
 * five hide in each other. Here the spread is the one with which the mean distance of two peers is
 * the typical time.
 *
 * <p>That time is found by cutting the sorted logarithms of all times in two, where the squares
 * within both parts are smallest. If the parts are heaps with a gap, the lower one holds the pairs
 * inside racks; else all pairs are alike.
 */
final class RackSpread {
  /**
   * Distance of the means of both parts, in standard deviations within the parts, from which they
   * are two heaps. One Gaussian cut in two has 2.65, a uniform distribution 3.46.
   */
  private static final double GAP = 2.8;

  private RackSpread() {}

  /**
   * @param times milliseconds, symmetric; NaN where unknown; at least one is known
   * @return milliseconds
   */
  static double of(double[][] times, int dimensions) {
    double meanDistance = 2 * Gamma.gamma((dimensions + 1) / 2.0) / Gamma.gamma(dimensions / 2.0);
    return timeInsideRacks(times) / meanDistance;
  }

  static double timeInsideRacks(double[][] times) {
    double[] sorted =
        IntStream.range(0, times.length)
            .boxed()
            .flatMapToDouble(i -> Arrays.stream(times[i], 0, i))
            .filter(time -> !Double.isNaN(time))
            .map(Math::log)
            .sorted()
            .toArray();
    int inside = sorted.length < 2 ? sorted.length : lowerHeap(sorted);
    return Math.exp((sorted[(inside - 1) / 2] + sorted[inside / 2]) / 2);
  }

  /** How many values are in the lower heap; all if there is one heap. */
  private static int lowerHeap(double[] sorted) {
    double total = Arrays.stream(sorted).sum();
    double totalSquares = Arrays.stream(sorted).map(value -> value * value).sum();
    double below = 0;
    double squaresBelow = 0;
    double smallest = Double.POSITIVE_INFINITY;
    double distance = 0;
    int cut = sorted.length;
    for (int count = 1; count < sorted.length; count++) {
      below += sorted[count - 1];
      squaresBelow += sorted[count - 1] * sorted[count - 1];
      int rest = sorted.length - count;
      double above = total - below;
      double within =
          squaresBelow - below * below / count + totalSquares - squaresBelow - above * above / rest;
      if (within < smallest) {
        smallest = within;
        distance = above / rest - below / count;
        cut = count;
      }
    }
    double deviation = Math.sqrt(Math.max(0, smallest) / sorted.length);
    return distance > GAP * deviation ? cut : sorted.length;
  }
}
