package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.annotations.VisibleForTesting;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Keeps the clock of a peer from ticking while there is nothing to look after, which is most of the
 * time: every DataNode has one. One thread rests; any may end that.
 */
final class Rest {
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final Duration longest;
  private final Semaphore ends = new Semaphore(0);

  Rest() {
    this(LONGEST);
  }

  /**
   * @param longest after which the clock ticks all the same
   */
  @VisibleForTesting
  Rest(Duration longest) {
    this.longest = longest;
  }

  /** There is something to look after from now on. */
  void end() {
    ends.release();
  }

  /**
   * Returns at once if there is something to look after, or there was since the last call; else
   * when that is so, or after a while, or when the thread is interrupted.
   */
  void takeWhile(BooleanSupplier idle) {
    try {
      if (idle.getAsBoolean()) {
        boolean unused = ends.tryAcquire(longest.toNanos(), TimeUnit.NANOSECONDS);
      }
      // What began before this is seen by the next tick. They must not add up where nobody rests.
      ends.drainPermits();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
