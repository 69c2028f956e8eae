package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.TestbedException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Polls until something is so. */
final class Waiting {
  private static final Duration PAUSE = Duration.ofMillis(300);

  private Waiting() {}

  /**
   * Returns once the condition holds.
   *
   * @param what it is, for the message after too many seconds
   */
  static void until(BooleanSupplier condition, String what, int seconds) {
    long deadline = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new TestbedException("waited " + seconds + " s in vain for " + what);
      }
      try {
        Thread.sleep(PAUSE.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new TestbedException("interrupted while waiting for " + what, e);
      }
    }
  }
}
