package io.orchestra.hadoop.testbed.bench;

import io.orchestra.hadoop.testbed.bench.Formula.PairedDifference;
import io.orchestra.hadoop.testbed.bench.Formula.PairedRatio;
import io.orchestra.hadoop.testbed.bench.Formula.SingleFigure;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A number that a benchmark answers its question with.
 *
 * @param key its name in results
 * @param meaning what it says, and which values are good
 * @param formula how it is computed
 * @param quick whether quick runs fill it
 * @param paper what the paper reports for it
 * @param paperNote where in the paper, and what differs there; may be empty
 * @param target what the whole 95 % interval must keep to
 */
public record RatioKey(
    String key,
    String meaning,
    Formula formula,
    boolean quick,
    OptionalDouble paper,
    String paperNote,
    Optional<Target> target) {

  public static RatioKey of(String key, String meaning, Formula formula) {
    return new RatioKey(key, meaning, formula, false, OptionalDouble.empty(), "", Optional.empty());
  }

  /** A figure of one arm by the same figure of another. */
  public static RatioKey ratio(
      String key, String meaning, String experiment, String figure, String arm, String byArm) {
    return of(
        key,
        meaning,
        new PairedRatio(experiment, new ArmFigure(arm, figure), new ArmFigure(byArm, figure)));
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
    return new RatioKey(key, meaning, formula, true, paper, paperNote, target);
  }

  public RatioKey inPaper(double value, String note) {
    return new RatioKey(key, meaning, formula, quick, OptionalDouble.of(value), note, target);
  }

  public RatioKey targetAtLeast(double limit) {
    return withTarget(Target.Side.AT_LEAST, limit);
  }

  public RatioKey targetAtMost(double limit) {
    return withTarget(Target.Side.AT_MOST, limit);
  }

  private RatioKey withTarget(Target.Side side, double limit) {
    return new RatioKey(
        key, meaning, formula, quick, paper, paperNote, Optional.of(new Target(side, limit)));
  }

  /** Whether a run fills it. */
  public boolean filledBy(BenchOptions options) {
    return quick || !options.quick();
  }
}
