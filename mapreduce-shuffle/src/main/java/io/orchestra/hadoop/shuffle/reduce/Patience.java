package io.orchestra.hadoop.shuffle.reduce;

import java.net.SocketTimeoutException;

/**
 * How long a range may bring next to nothing. It is fetched whole then, by Hadoop's fetcher, which
 * has the patience that the job sets. For one range.
 */
final class Patience {
  /** More than a link is away that was cut for twenty seconds. */
  static final int LONGEST_MILLIS = 30_000;

  /** In that time. A link of a Mbit/s that sixty lanes share brings more. */
  static final int LEAST_BYTES = 32 << 10;

  private final long limitMillis;
  private long waitedMillis;
  private long bytes;

  /**
   * @param limitMillis how long to wait for so many bytes
   */
  Patience(long limitMillis) {
    this.limitMillis = limitMillis;
  }

  /**
   * Bytes have come.
   *
   * @param millis that they took
   * @throws SocketTimeoutException if it has been too long for too few
   */
  void waited(long millis, int count) throws SocketTimeoutException {
    waitedMillis += millis;
    bytes += count;
    if (bytes >= LEAST_BYTES) {
      waitedMillis = 0;
      bytes = 0;
    } else if (waitedMillis > limitMillis) {
      throw new SocketTimeoutException("%d bytes in %d ms".formatted(bytes, waitedMillis));
    }
  }
}
