package io.orchestra.hadoop.testbed.bench.result;

import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import java.util.List;
import java.util.Optional;

/**
 * What a run says about one of its keys.
 *
 * @param estimate nothing if the run does not fill the key, or could not
 * @param verdict only if there are an estimate and a target
 * @param problem why a key that the run fills has no estimate
 */
public record KeyResult(
    RatioKey key,
    Optional<Estimate> estimate,
    Optional<Verdict> verdict,
    Optional<String> problem) {

  public static KeyResult of(
      RatioKey key, BenchOptions options, List<ExperimentResult> experiments) {
    if (!key.filledBy(options)) {
      return new KeyResult(key, Optional.empty(), Optional.empty(), Optional.empty());
    }
    List<Double> values =
        experiments.stream()
            .filter(result -> result.experiment().name().equals(key.formula().experiment()))
            .findFirst()
            .map(result -> result.values(key.formula()))
            .orElse(List.of());
    if (values.isEmpty()) {
      return missing(key, "no repetition measured it");
    }
    if (!values.stream().allMatch(Double::isFinite)) {
      return missing(key, "a repetition divides by zero: " + values);
    }
    Estimate estimate = Estimate.of(key.formula(), values);
    Optional<Verdict> verdict = key.target().map(target -> Verdict.of(estimate.interval(), target));
    return new KeyResult(key, Optional.of(estimate), verdict, Optional.empty());
  }

  private static KeyResult missing(RatioKey key, String problem) {
    return new KeyResult(key, Optional.empty(), Optional.empty(), Optional.of(problem));
  }

  public boolean undecided() {
    return verdict.equals(Optional.of(Verdict.UNDECIDED));
  }
}
