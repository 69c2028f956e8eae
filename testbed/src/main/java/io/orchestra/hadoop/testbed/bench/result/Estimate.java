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

  static Estimate of(Formula formula, List<Double> values) {
    return new Estimate(
        List.copyOf(values),
        new Median().evaluate(values.stream().mapToDouble(Double::doubleValue).toArray()),
        formula.logarithmic() ? Interval.ofGeometricMean(values) : Interval.ofMean(values));
  }
}
