package io.orchestra.hadoop.testbed.bench;

import io.orchestra.hadoop.testbed.bench.Formula.PairedDifference;
import io.orchestra.hadoop.testbed.bench.Formula.PairedRatio;
import io.orchestra.hadoop.testbed.bench.Formula.SingleFigure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A number that a benchmark answers its question with.
 *
 * @param key its name in results
 * @param meaning what it says, and which values are good
 * @param formulas how it is computed: if there are several, it is the smallest of their values
 * @param quick whether quick runs fill it
 * @param whyLeftOut why no run on this machine fills it, unless one does
 * @param paper what the paper reports for it
 * @param paperNote where in the paper, and what differs there; may be empty
 * @param target what the whole 95 % interval must keep to, for each of the formulas
 */
public record RatioKey(
    String key,
    String meaning,
    List<Formula> formulas,
    boolean quick,
    Optional<String> whyLeftOut,
    OptionalDouble paper,
    String paperNote,
    Optional<Target> target) {

  public RatioKey {
    formulas = List.copyOf(formulas);
    if (formulas.isEmpty()) {
      throw new IllegalArgumentException(key + " needs a formula");
    }
  }

  public static RatioKey of(String key, String meaning, Formula formula) {
    return smallest(key, meaning, List.of(formula));
  }

  /** The smallest of some values, each of which has to keep to the target. */
  public static RatioKey smallest(String key, String meaning, List<? extends Formula> formulas) {
    return new RatioKey(
        key,
        meaning,
        List.copyOf(formulas),
        false,
        Optional.empty(),
        OptionalDouble.empty(),
        "",
        Optional.empty());
  }

  /** A figure of one arm by the same figure of another. */
  public static RatioKey ratio(
      String key, String meaning, String experiment, String figure, String arm, String byArm) {
    return of(key, meaning, PairedRatio.of(experiment, figure, arm, byArm));
  }

  /** A figure of one arm less the same figure of another. */
  public static RatioKey difference(
      String key, String meaning, String experiment, String figure, String arm, String lessArm) {
    return of(
        key,
        meaning,
        new PairedDifference(
            experiment, new ArmFigure(arm, figure), new ArmFigure(lessArm, figure)));
  }

  /** A figure of one arm. */
  public static RatioKey figure(
      String key, String meaning, String experiment, String figure, String arm) {
    return of(key, meaning, new SingleFigure(experiment, new ArmFigure(arm, figure)));
  }

  /** The same key, filled by quick runs too. */
  public RatioKey alsoQuick() {
    return new RatioKey(key, meaning, formulas, true, whyLeftOut, paper, paperNote, target);
  }

  /** The same key, which no run on this machine fills, and why not. */
  public RatioKey leftOut(String why) {
    return new RatioKey(key, meaning, formulas, quick, Optional.of(why), paper, paperNote, target);
  }

  public RatioKey inPaper(double value, String note) {
    return new RatioKey(
        key, meaning, formulas, quick, whyLeftOut, OptionalDouble.of(value), note, target);
  }

  public RatioKey targetAtLeast(double limit) {
    return withTarget(Target.Side.AT_LEAST, limit);
  }

  public RatioKey targetAtMost(double limit) {
    return withTarget(Target.Side.AT_MOST, limit);
  }

  private RatioKey withTarget(Target.Side side, double limit) {
    return new RatioKey(
        key,
        meaning,
        formulas,
        quick,
        whyLeftOut,
        paper,
        paperNote,
        Optional.of(new Target(side, limit)));
  }

  /** What of it is computed from one experiment; nothing if none is. */
  public Optional<RatioKey> in(String experiment) {
    List<Formula> there =
        formulas.stream().filter(formula -> formula.experiment().equals(experiment)).toList();
    return there.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new RatioKey(key, meaning, there, quick, whyLeftOut, paper, paperNote, target));
  }

  /** The arms of an experiment it is computed from. */
  public Set<String> arms(String experiment) {
    return formulas.stream()
        .filter(formula -> formula.experiment().equals(experiment))
        .flatMap(formula -> formula.operands().stream())
        .map(ArmFigure::arm)
        .collect(Collectors.toSet());
  }

  /** The experiments it is computed from. */
  public List<String> experiments() {
    return formulas.stream().map(Formula::experiment).distinct().toList();
  }

  /** The formulas in words, each with its experiment. */
  public String text() {
    return formulas.stream()
        .collect(
            Collectors.groupingBy(
                Formula::text,
                LinkedHashMap::new,
                Collectors.mapping(Formula::experiment, Collectors.joining(", "))))
        .entrySet()
        .stream()
        .map(entry -> entry.getKey() + ", " + entry.getValue())
        .collect(Collectors.joining("; ", formulas.size() > 1 ? "smallest of " : "", ""));
  }

  /** Whether a run fills it. */
  public boolean filledBy(BenchOptions options) {
    return whyLeftOut.isEmpty()
        && (quick || !options.quick())
        && experiments().stream().allMatch(options::runs)
        && experiments().stream().flatMap(name -> arms(name).stream()).allMatch(options::measures);
  }
}
