package io.orchestra.hadoop.broadcast.algorithm;

import java.util.Arrays;
import org.apache.commons.math3.stat.inference.TTest;

/**
 * How much longer some times are than others.
 *
 * @param factor between the geometric means; NaN if there are not two times of each kind
 * @param chance that times of one kind differ so much: the one-sided t-test of the logarithms, in
 *     which noise has the same size whatever the time
 */
record Slowdown(double factor, double chance) {
  /** A single time proves nothing: with it the chance is 1. */
  static Slowdown of(double[] shorter, double[] longer) {
    if (shorter.length < 2 || longer.length < 2) {
      return new Slowdown(Double.NaN, 1);
    }
    double[] less = logarithms(shorter);
    double[] more = logarithms(longer);
    double difference = mean(more) - mean(less);
    double twoSided = new TTest().homoscedasticTTest(less, more);
    return new Slowdown(Math.exp(difference), difference > 0 ? twoSided / 2 : 1 - twoSided / 2);
  }

  private static double[] logarithms(double[] times) {
    return Arrays.stream(times).map(Math::log).toArray();
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }
}
