package io.orchestra.hadoop.testbed.bench.result;

import io.orchestra.hadoop.testbed.bench.Formula;
import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * What repetitions say about a key.
 *
 * @param values one a repetition
 * @param median of the values
 * @param interval of the values' mean, or of the geometric mean where values are ratios
 */
public record Estimate(List<Double> values, double median, Optional<Interval> interval) {

  /** Equal values have an interval without width. */
  private static final double ROUNDING = 1e-9;

  /** Whether the interval leaves the median out, as where values fall into groups. */
  public boolean isGrouped() {
    double exact = Math.abs(median) * ROUNDING;
    return interval
        .filter(within -> median < within.low() - exact || median > within.high() + exact)
        .isPresent();
  }

  static Estimate of(Formula formula, List<Double> values) {
    return new Estimate(
        List.copyOf(values),
        new Median().evaluate(values.stream().mapToDouble(Double::doubleValue).toArray()),
        formula.logarithmic() ? Interval.ofGeometricMean(values) : Interval.ofMean(values));
  }
}
