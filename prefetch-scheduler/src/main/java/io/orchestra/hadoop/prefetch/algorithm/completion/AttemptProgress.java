package io.orchestra.hadoop.prefetch.algorithm.completion;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * Learns the {@link LinearModel} of one running attempt by least squares. An estimate is stable
 * when it and the one before foretell nearly the same end (FlexFetch, section III-A). Where the
 * attempt goes on faster or slower than before, as it does at the end of the part of its input that
 * was brought in time, a new line begins. Not safe for concurrent use.
 */
public final class AttemptProgress {
  /** Two points lie on a line whatever they are: the first estimate that says something. */
  private static final int LEAST_SAMPLES = 3;

  /** One report beside the line may be late; as many on the same side are on another line. */
  private static final int SAMPLES_OF_CHANGE = 2;

  /** Seconds beside the line that say nothing: progress is told once a second. */
  private static final double LEAST_CHANGE = 0.5;

  private record Sample(long read, double seconds) {}

  private final long input;
  private final double tolerance;

  /** Of the line that goes on. */
  private final SimpleRegression regression = new SimpleRegression();

  /** The same without the newest samples. */
  private final SimpleRegression settled = new SimpleRegression();

  private final Deque<Sample> newest = new ArrayDeque<>();
  private Sample beginning;
  private Sample first;
  private Sample last;
  private double lastEstimate = Double.NaN;
  private boolean stable;

  /** Whether the line is another than the first. */
  private boolean replaced;

  /**
   * @param input bytes the attempt will read in all
   * @param tolerance by which two consecutive estimates of the end may differ, relative; and by
   *     which a line may be missed, relative to the time it has lasted
   */
  public AttemptProgress(long input, double tolerance) {
    checkArgument(input >= 0, "an input of %s bytes", input);
    checkArgument(tolerance > 0, "a tolerance of %s", tolerance);
    this.input = input;
    this.tolerance = tolerance;
  }

  /**
   * Takes a report in. One that tells of no more input than the last says nothing: reports repeat
   * what the attempt said last, and before the first byte it is not known when that will come.
   *
   * @param read bytes of input so far
   * @param seconds since the launch
   */
  public void observe(long read, double seconds) {
    if (read <= read() || read > input) {
      return;
    }
    add(new Sample(read, seconds));
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

  private void add(Sample sample) {
    last = sample;
    if (beginning == null) {
      beginning = sample;
      first = sample;
    }
    regression.addData(sample.read(), sample.seconds());
    newest.add(sample);
    if (newest.size() > SAMPLES_OF_CHANGE) {
      Sample old = newest.remove();
      settled.addData(old.read(), old.seconds());
    }
    if (hasChanged()) {
      settled.clear();
      regression.clear();
      newest.forEach(each -> regression.addData(each.read(), each.seconds()));
      first = newest.element();
      replaced = true;
    }
  }

  private boolean hasChanged() {
    double most = Math.max(LEAST_CHANGE, tolerance * (last.seconds() - first.seconds()));
    return settled.getN() >= LEAST_SAMPLES
        && (newest.stream().allMatch(sample -> late(sample) > most)
            || newest.stream().allMatch(sample -> late(sample) < -most));
  }

  /** Seconds by which it came after the line. */
  private double late(Sample sample) {
    return sample.seconds() - settled.predict(sample.read());
  }

  /** Bytes of input so far; 0 before the first of them is told of. */
  public long read() {
    return last == null ? 0 : last.read();
  }

  /** Bytes of input in all. */
  public long input() {
    return input;
  }

  /**
   * The model; empty until two consecutive estimates were nearly the same. A line that has just
   * taken the place of another counts with its first two reports: what other maps took says less of
   * its rest.
   */
  public Optional<LinearModel> model() {
    return stable || isNew() ? Optional.of(fitted()) : Optional.empty();
  }

  private boolean isNew() {
    return replaced
        && regression.getN() < LEAST_SAMPLES
        && regression.getSlope() > 0
        && last.seconds() - first.seconds() >= LEAST_CHANGE;
  }

  /**
   * When all is read if the rest takes as long as it is said to, whatever the model.
   *
   * @param alpha seconds per byte
   * @return seconds since the launch; empty before the first byte
   */
  OptionalDouble seconds(double alpha) {
    return last == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(last.seconds() + alpha * (input - last.read()));
  }

  /**
   * How it went.
   *
   * @param duration seconds from its launch to its end
   * @return empty if it had told of its progress once or never
   */
  Optional<Course> course(double duration) {
    if (last == beginning) {
      return Optional.empty();
    }
    double alpha = (last.seconds() - beginning.seconds()) / (last.read() - beginning.read());
    double end = last.seconds() + alpha * (input - last.read());
    return alpha > 0
        ? Optional.of(new Course(alpha, Math.max(0, duration - end)))
        : Optional.empty();
  }

  private LinearModel fitted() {
    return new LinearModel(regression.getSlope(), regression.getIntercept());
  }
}
