package io.orchestra.hadoop.testbed.bench;

import java.time.Duration;
import java.time.Instant;

/**
 * A part of a trial.
 *
 * @param fromNanos as {@link System#nanoTime} counts
 * @param untilNanos not before that
 */
public record Window(long fromNanos, long untilNanos) {
  public Window {
    if (untilNanos - fromNanos < 0) {
      throw new IllegalArgumentException(
          "ends %d ns before it begins".formatted(fromNanos - untilNanos));
    }
  }

  /** Between two times of the clock, which somebody else may have read. */
  public static Window between(Instant from, Instant until) {
    long nanos = System.nanoTime();
    Instant now = Instant.now();
    return new Window(
        nanos - Duration.between(from, now).toNanos(),
        nanos - Duration.between(until, now).toNanos());
  }

  public double seconds() {
    return (untilNanos - fromNanos) / 1e9;
  }

  public boolean contains(long nanoTime) {
    return nanoTime - fromNanos >= 0 && untilNanos - nanoTime >= 0;
  }
}
