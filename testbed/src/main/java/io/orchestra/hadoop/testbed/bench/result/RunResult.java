package io.orchestra.hadoop.testbed.bench.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What came out of a run.
 *
 * @param keys all keys of the benchmark
 * @param reasons why the figures cannot be trusted; none if the run is verified
 */
public record RunResult(
    RunSetup setup,
    List<ExperimentResult> experiments,
    List<KeyResult> keys,
    List<String> reasons) {

  /** Evaluates everything that was measured, and the failure that ended the run, if any. */
  public static RunResult of(
      RunSetup setup, List<ExperimentResult> experiments, Optional<String> failure) {
    List<KeyResult> keys =
        setup.benchmark().ratios().stream()
            .map(key -> KeyResult.of(key, setup.options(), experiments))
            .toList();
    List<String> reasons = new ArrayList<>();
    failure.ifPresent(message -> reasons.add("the run failed: " + message));
    reasons.addAll(Verification.reasons(experiments, keys));
    return new RunResult(setup, List.copyOf(experiments), keys, List.copyOf(reasons));
  }

  public boolean verified() {
    return reasons.isEmpty();
  }
}
