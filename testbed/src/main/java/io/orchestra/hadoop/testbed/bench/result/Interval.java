package io.orchestra.hadoop.testbed.bench.result;

import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;

/** A 95 % confidence interval. */
public record Interval(double low, double high) {
  private static final double CONFIDENCE = 0.95;

  /** Student's t interval of the mean, or nothing for less than two values. */
  static Optional<Interval> ofMean(List<Double> values) {
    if (values.size() < 2) {
      return Optional.empty();
    }
    SummaryStatistics statistics = new SummaryStatistics();
    values.forEach(statistics::addValue);
    double t =
        new TDistribution(values.size() - 1.0).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
    double reach = t * statistics.getStandardDeviation() / Math.sqrt(values.size());
    return Optional.of(new Interval(statistics.getMean() - reach, statistics.getMean() + reach));
  }

  /**
   * The interval of the geometric mean: {@link #ofMean} of the logarithms, taken back. Nothing for
   * less than two values, or if one is not above zero.
   */
  static Optional<Interval> ofGeometricMean(List<Double> values) {
    if (values.stream().anyMatch(value -> value <= 0)) {
      return Optional.empty();
    }
    return ofMean(values.stream().map(Math::log).toList())
        .map(logs -> new Interval(Math.exp(logs.low()), Math.exp(logs.high())));
  }
}
