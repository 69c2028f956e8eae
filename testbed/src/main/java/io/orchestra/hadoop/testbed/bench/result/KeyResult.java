package io.orchestra.hadoop.testbed.bench.result;

import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a run says about one of its keys.
 *
 * @param formulas what it says about each of the key's formulas; none if the run does not fill it
 */
public record KeyResult(RatioKey key, List<FormulaResult> formulas) {

  public KeyResult {
    formulas = List.copyOf(formulas);
  }

  public static KeyResult of(
      RatioKey key, BenchOptions options, List<ExperimentResult> experiments) {
    return new KeyResult(
        key,
        key.filledBy(options)
            ? key.formulas().stream()
                .map(formula -> FormulaResult.of(formula, key.target(), experiments))
                .toList()
            : List.of());
  }

  /** The smallest of the formulas' estimates; nothing unless there is one of each. */
  public Optional<Estimate> estimate() {
    return smallest().flatMap(FormulaResult::estimate);
  }

  /** The formula with the smallest estimate; nothing unless there is one of each. */
  public Optional<FormulaResult> smallest() {
    return problem().isPresent()
        ? Optional.empty()
        : formulas.stream()
            .min(Comparator.comparingDouble(result -> result.estimate().orElseThrow().median()));
  }

  /** Met if all formulas meet the target, not met if one does not; nothing without a target. */
  public Optional<Verdict> verdict() {
    List<Verdict> verdicts =
        formulas.stream().flatMap(result -> result.verdict().stream()).toList();
    if (verdicts.isEmpty() || problem().isPresent()) {
      return Optional.empty();
    }
    if (verdicts.contains(Verdict.NOT_MET)) {
      return Optional.of(Verdict.NOT_MET);
    }
    return Optional.of(verdicts.contains(Verdict.UNDECIDED) ? Verdict.UNDECIDED : Verdict.MET);
  }

  /** Why a key that the run fills has no estimate. */
  public Optional<String> problem() {
    return formulas.stream().flatMap(result -> result.problem().stream()).findFirst();
  }

  public boolean undecided() {
    return formulas.stream()
        .anyMatch(result -> result.verdict().equals(Optional.of(Verdict.UNDECIDED)));
  }

  /** The experiments whose formulas have this verdict, with how many of them. */
  public Map<String, Long> experiments(Verdict verdict) {
    return formulas.stream()
        .filter(result -> result.verdict().equals(Optional.of(verdict)))
        .collect(
            Collectors.groupingBy(
                result -> result.formula().experiment(),
                LinkedHashMap::new,
                Collectors.counting()));
  }
}
