package io.orchestra.hadoop.testbed.bench.result;

import io.orchestra.hadoop.testbed.bench.Formula;
import io.orchestra.hadoop.testbed.bench.Target;
import java.util.List;
import java.util.Optional;

/**
 * What a run says about one of a key's formulas.
 *
 * @param estimate nothing if the run could not make one
 * @param verdict only if there are an estimate and a target
 * @param problem why there is no estimate
 */
public record FormulaResult(
    Formula formula,
    Optional<Estimate> estimate,
    Optional<Verdict> verdict,
    Optional<String> problem) {

  static FormulaResult of(
      Formula formula, Optional<Target> target, List<ExperimentResult> experiments) {
    List<Double> values =
        experiments.stream()
            .filter(result -> result.experiment().name().equals(formula.experiment()))
            .findFirst()
            .map(result -> result.values(formula))
            .orElse(List.of());
    if (values.isEmpty()) {
      return missing(formula, "no repetition measured it");
    }
    if (!values.stream().allMatch(Double::isFinite)) {
      return missing(
          formula, "a repetition divides by zero, or by what could not be saved: " + values);
    }
    Estimate estimate = Estimate.of(formula, values);
    return new FormulaResult(
        formula,
        Optional.of(estimate),
        target.map(limit -> Verdict.of(estimate.interval(), limit)),
        Optional.empty());
  }

  private static FormulaResult missing(Formula formula, String problem) {
    return new FormulaResult(formula, Optional.empty(), Optional.empty(), Optional.of(problem));
  }
}
