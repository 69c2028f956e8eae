package io.orchestra.hadoop.prefetch.algorithm.completion;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.commons.math3.stat.descriptive.moment.Mean;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * What the finished maps of a job say about those that have just begun, and about the time between
 * the last byte of input and the end (sort, spill, commit), of which progress says nothing. Not
 * safe for concurrent use.
 */
public final class FinishedMaps {
  /** Inputs that differ less than this, relative to their mean, tell nothing of a slope. */
  private static final double LEAST_SPREAD = 0.2;

  private final SimpleRegression durations = new SimpleRegression();
  private final Mean inputs = new Mean();
  private final Mean seconds = new Mean();
  private final Mean tails = new Mean();
  private double shortest = Double.POSITIVE_INFINITY;

  /**
   * @param input bytes the map has read
   * @param duration seconds from its launch to its end
   * @param model of the attempt at its end, if there was a stable one
   */
  public void add(long input, double duration, Optional<LinearModel> model) {
    checkArgument(input >= 0, "an input of %s bytes", input);
    checkArgument(duration >= 0, "a duration of %s s", duration);
    durations.addData(input, duration);
    inputs.increment(input);
    seconds.increment(duration);
    shortest = Math.min(shortest, duration);
    model.ifPresent(line -> tails.increment(Math.max(0, duration - line.seconds(input))));
  }

  /** Maps added so far. */
  public long count() {
    return durations.getN();
  }

  /** Mean seconds between the end of the input and the end of the map; 0 while unknown. */
  public double tail() {
    return tails.getN() == 0 ? 0 : tails.getResult();
  }

  /**
   * Duration as a function of the input, tail included; empty before the first map has finished.
   * While all inputs are about the same, durations are taken as proportional to them.
   */
  public Optional<LinearModel> model() {
    if (count() == 0) {
      return Optional.empty();
    }
    boolean sloped = spread() > LEAST_SPREAD && durations.getSlope() >= 0;
    if (sloped && durations.getIntercept() >= 0) {
      return Optional.of(new LinearModel(durations.getSlope(), durations.getIntercept()));
    }
    return Optional.of(
        inputs.getResult() > 0
            ? new LinearModel(seconds.getResult() / inputs.getResult(), 0)
            : new LinearModel(0, seconds.getResult()));
  }

  /**
   * Duration of a map, which is not shorter than any before: even one without input must start.
   *
   * @param input bytes
   * @return empty before the first map has finished
   */
  public OptionalDouble seconds(long input) {
    Optional<LinearModel> model = model();
    return model.isPresent()
        ? OptionalDouble.of(Math.max(shortest, model.get().seconds(input)))
        : OptionalDouble.empty();
  }

  private double spread() {
    return count() < 2 || inputs.getResult() == 0
        ? 0
        : Math.sqrt(durations.getXSumSquares() / (count() - 1)) / inputs.getResult();
  }
}
