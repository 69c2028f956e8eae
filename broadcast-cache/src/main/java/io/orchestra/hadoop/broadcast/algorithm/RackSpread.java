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
 * within both parts are smallest. The lower part holds the pairs inside racks. In a single rack
 * both parts do, and the spread is too small by a deviation of the noise or less; what is then
 * split is put together again by {@link RackBoundaries}. To ask here whether there are two heaps
 * would make the answer wrong in strong noise, in which they overlap.
 */
final class RackSpread {
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
    int inside = sorted.length < 2 ? sorted.length : lowerPart(sorted);
    return Math.exp((sorted[(inside - 1) / 2] + sorted[inside / 2]) / 2);
  }

  /** How many of at least two values are in the lower part. */
  private static int lowerPart(double[] sorted) {
    double total = Arrays.stream(sorted).sum();
    double totalSquares = Arrays.stream(sorted).map(value -> value * value).sum();
    double below = 0;
    double squaresBelow = 0;
    double smallest = Double.POSITIVE_INFINITY;
    int cut = 1;
    for (int count = 1; count < sorted.length; count++) {
      below += sorted[count - 1];
      squaresBelow += sorted[count - 1] * sorted[count - 1];
      int rest = sorted.length - count;
      double above = total - below;
      double within =
          squaresBelow - below * below / count + totalSquares - squaresBelow - above * above / rest;
      if (within < smallest) {
        smallest = within;
        cut = count;
      }
    }
    return cut;
  }
}
