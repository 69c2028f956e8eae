package io.orchestra.hadoop.testbed.bench.result;

import java.util.List;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/** What is reported of a figure that was measured in several repetitions, at least one. */
public record Summary(int count, double median, double min, double max) {

  public static Summary of(List<Double> values) {
    double[] array = values.stream().mapToDouble(Double::doubleValue).toArray();
    return new Summary(
        array.length, new Median().evaluate(array), StatUtils.min(array), StatUtils.max(array));
  }
}
