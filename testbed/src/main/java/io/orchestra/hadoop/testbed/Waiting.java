package io.orchestra.hadoop.testbed;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Polls until something is so. */
public final class Waiting {
  private static final Duration PAUSE = Duration.ofMillis(300);

  private Waiting() {}

  /**
   * Returns once the condition holds; fails after too many seconds or when this thread is
   * interrupted.
   *
   * @param what it is that is waited for, for the message
   */
  public static void until(BooleanSupplier condition, String what, int seconds) {
    until(condition, what, Duration.ofSeconds(seconds), PAUSE);
  }

  /** The same, with another pause between two looks. */
  public static void until(
      BooleanSupplier condition, String what, Duration longest, Duration pause) {
    if (!within(longest, pause, condition, what)) {
      throw new TestbedException("waited " + longest.toSeconds() + " s in vain for " + what);
    }
  }

  /**
   * Returns true once the condition holds and false when it does not within the time; fails when
   * this thread is interrupted.
   */
  public static boolean within(
      Duration longest, Duration pause, BooleanSupplier condition, String what) {
    long deadline = System.nanoTime() + longest.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      sleep(pause, what);
    }
    return true;
  }

  /**
   * Lets time pass; fails when this thread is interrupted.
   *
   * @param what it passes for, for the message
   */
  public static void sleep(Duration time, String what) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while waiting for " + what, e);
    }
  }
}
