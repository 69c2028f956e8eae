package io.orchestra.hadoop.prefetch.algorithm.completion;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Optional;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * Learns the {@link LinearModel} of one running attempt by least squares. An estimate is stable
 * when it and the one before foretell nearly the same end (FlexFetch, section III-A). Not safe for
 * concurrent use.
 */
public final class AttemptProgress {
  /** Two points lie on a line whatever they are: the first estimate that says something. */
  private static final int LEAST_SAMPLES = 3;

  private final long input;
  private final double tolerance;
  private final SimpleRegression regression = new SimpleRegression();
  private long lastRead = -1;
  private double lastEstimate = Double.NaN;
  private boolean stable;

  /**
   * @param input bytes the attempt will read in all
   * @param tolerance by which two consecutive estimates of the end may differ, relative
   */
  public AttemptProgress(long input, double tolerance) {
    checkArgument(input >= 0, "an input of %s bytes", input);
    checkArgument(tolerance > 0, "a tolerance of %s", tolerance);
    this.input = input;
    this.tolerance = tolerance;
  }

  /**
   * Takes a report in. One that tells of no more input than the last says nothing: reports repeat
   * what the attempt said last.
   *
   * @param read bytes of input so far
   * @param seconds since the launch
   */
  public void observe(long read, double seconds) {
    if (read <= lastRead || read > input) {
      return;
    }
    lastRead = read;
    regression.addData(read, seconds);
    if (regression.getN() < 2) {
      return;
    }
    double estimate = fitted().seconds(input);
    stable =
        regression.getN() >= LEAST_SAMPLES
            && regression.getSlope() > 0
            && Math.abs(estimate - lastEstimate) <= tolerance * Math.abs(estimate);
    lastEstimate = estimate;
  }

  /** Bytes of input so far; 0 before the first report. */
  public long read() {
    return Math.max(lastRead, 0);
  }

  /** Bytes of input in all. */
  public long input() {
    return input;
  }

  /** The model; empty until two consecutive estimates were nearly the same. */
  public Optional<LinearModel> model() {
    return stable ? Optional.of(fitted()) : Optional.empty();
  }

  private LinearModel fitted() {
    return new LinearModel(regression.getSlope(), regression.getIntercept());
  }
}
