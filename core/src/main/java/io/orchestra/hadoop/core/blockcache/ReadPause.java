package io.orchestra.hadoop.core.blockcache;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.crypto.CryptoInputStream;

/**
 * How long to leave what comes in the socket, so that no thread is woken for every packet of a slow
 * connection: to read one costs far more than the network does for it. Each connection has its own,
 * used by one thread.
 */
public final class ReadPause {
  /** In bytes; half of the least window that a receiver offers, so that senders do not wait. */
  static final int WORTH_A_READ = 32 << 10;

  /** A connection that becomes faster is not noticed for so long. */
  private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(200);

  /** Threads do not sleep more exactly than that. */
  private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(1);

  /** By then half of what has come before is forgotten. */
  private static final long MEMORY = TimeUnit.SECONDS.toNanos(1);

  /**
   * Bytes that have come of late. At first as if some had come already: it takes a while to find
   * the first ones on a disk, which says nothing of the network.
   */
  private double come = 2 * WORTH_A_READ;

  /** In so many nanoseconds. */
  private double taken;

  /**
   * Whether a read of a stream or channel gives all that has come. What decrypts gives out a few
   * KiB at a time, however much has come, and would seem to be slow: pauses would make it so.
   */
  public static boolean suits(Object in) {
    return !(in instanceof CryptoInputStream);
  }

  /**
   * To be called after each read. A sender who stands still for a moment, such as to look for more
   * on his disk, is not taken for a slow connection: the pause would have him wait soon after he
   * goes on. Nor is a connection that has become faster.
   *
   * @param read how many bytes the read gave; at least one
   * @param nanos since the read before that one
   * @param rest how many bytes of the piece, or packet, have not been read
   * @return nanoseconds until enough has come if it goes on as fast as just now, or as of late if
   *     that was faster; half of {@code rest} is enough, so that the end of a piece does not wait
   *     for an estimate
   */
  public long nanos(int read, long nanos, int rest) {
    come += read;
    taken += nanos;
    if (taken > MEMORY) {
      come /= 2;
      taken /= 2;
    }
    if (read >= WORTH_A_READ) {
      return 0;
    }
    double enough = Math.min(WORTH_A_READ, rest / 2.0);
    double bytesPerNano = Math.max((double) read / nanos, come / taken);
    long pause = (long) Math.min(LONGEST, enough / bytesPerNano);
    return pause < SHORTEST ? 0 : pause;
  }
}
