package io.orchestra.hadoop.broadcast.datanode;

import java.util.concurrent.TimeUnit;

/**
 * How long to leave what comes in the socket, so that no thread is woken for every packet of a slow
 * connection: to read one costs far more than the network does for it.
 */
final class ReadPause {
  /** In bytes; half of the least window that a receiver offers, so that senders do not wait. */
  static final int WORTH_A_READ = 32 << 10;

  /** A connection that becomes faster is not noticed for so long. */
  private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(200);

  /** Threads do not sleep more exactly than that. */
  private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(1);

  private ReadPause() {}

  /**
   * @param read how many bytes the last read gave; at least one
   * @param nanos since the read before that one
   * @param rest how many bytes of the piece have not been read
   * @return nanoseconds until enough has come if it goes on as fast; half of {@code rest} is
   *     enough, so that the end of a piece does not wait for an estimate
   */
  static long nanos(int read, long nanos, int rest) {
    if (read >= WORTH_A_READ) {
      return 0;
    }
    double enough = Math.min(WORTH_A_READ, rest / 2.0);
    long pause = (long) Math.min(LONGEST, enough * nanos / read);
    return pause < SHORTEST ? 0 : pause;
  }
}
