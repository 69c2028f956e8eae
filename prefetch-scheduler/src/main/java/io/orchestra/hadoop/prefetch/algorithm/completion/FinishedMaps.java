package io.orchestra.hadoop.prefetch.algorithm.completion;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.commons.math3.stat.descriptive.moment.Mean;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * What the finished maps of a job took, as a function of their input. Not safe for concurrent use.
 */
public final class FinishedMaps {
  /** Inputs that differ less than this, relative to their mean, tell nothing of a slope. */
  private static final double LEAST_SPREAD = 0.2;

  private final SimpleRegression durations = new SimpleRegression();
  private final Mean inputs = new Mean();
  private final Mean seconds = new Mean();
  private double shortest = Double.POSITIVE_INFINITY;

  /**
   * @param input bytes the map has read
   * @param duration seconds from its launch to its end
   */
  public void add(long input, double duration) {
    checkArgument(input >= 0, "an input of %s bytes", input);
    checkArgument(duration >= 0, "a duration of %s s", duration);
    durations.addData(input, duration);
    inputs.increment(input);
    seconds.increment(duration);
    shortest = Math.min(shortest, duration);
  }

  /** Maps added so far. */
  public long count() {
    return durations.getN();
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
