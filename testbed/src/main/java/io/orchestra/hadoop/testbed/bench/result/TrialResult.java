package io.orchestra.hadoop.testbed.bench.result;

import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.bench.sample.Usage;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What came out of one trial.
 *
 * @param position when it ran among the arms of its repetition, from 1
 * @param seconds how long the measurement took, preparation and cleanup apart
 */
public record TrialResult(
    String arm, Trial trial, int position, double seconds, Measurement measurement, Usage usage) {

  /** The same trial, of which something else was measured. */
  public TrialResult with(Measurement other) {
    return new TrialResult(arm, trial, position, seconds, other, usage);
  }

  /** All figures: the measured ones, then the sampled ones. */
  public Map<String, Double> figures() {
    Map<String, Double> figures = new LinkedHashMap<>(measurement.figures());
    figures.putAll(usage.figures());
    return figures;
  }
}
