package io.orchestra.hadoop.prefetch.datanode;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.annotations.VisibleForTesting;

/**
 * Spreads what one thread takes over time. Nothing is made up for: who was slow for a while is not
 * faster after it. Safe for concurrent use.
 */
final class Pacer {
  private static final double NANOS = 1e9;

  // Guarded by this.
  private long rate;
  private long next = System.nanoTime();
  private boolean hurried;

  /**
   * @param rate bytes per second; 0 for as fast as it goes
   */
  Pacer(long rate) {
    this.rate = rate;
  }

  /** Waits until what was taken before has had its time. */
  synchronized void take(long bytes) throws InterruptedException {
    checkArgument(bytes >= 0, "%s bytes", bytes);
    while (!hurried && next - System.nanoTime() > 0) {
      long left = next - System.nanoTime();
      if (left > 0) {
        wait(left / 1_000_000, (int) (left % 1_000_000));
      }
    }
    long now = System.nanoTime();
    next = hurried || rate == 0 ? now : now + (long) (bytes * NANOS / rate);
  }

  /** Goes on at another rate; who waits does not wait for longer than at that one. */
  synchronized void rate(long changed) {
    long now = System.nanoTime();
    if (changed == 0) {
      next = now;
    } else if (rate > 0 && next - now > 0) {
      next = now + (long) ((double) (next - now) * rate / changed);
    }
    rate = changed;
    notifyAll();
  }

  @VisibleForTesting
  synchronized long rate() {
    return rate;
  }

  @VisibleForTesting
  synchronized boolean isHurried() {
    return hurried;
  }

  /** Who waits goes on at once, and waits again after what is taken then. */
  synchronized void goOn() {
    next = System.nanoTime();
    notifyAll();
  }

  /** From now on nobody waits. */
  synchronized void hurry() {
    hurried = true;
    notifyAll();
  }
}
