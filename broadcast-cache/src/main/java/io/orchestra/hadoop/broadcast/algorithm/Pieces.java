package io.orchestra.hadoop.broadcast.algorithm;

/** Into how many pieces a file is cut. */
public final class Pieces {
  /** Sending, asking for and verifying a piece must not cost more than its bytes. */
  private static final int SHORTEST = 64 << 10;

  /** The paper's (section 5.1). */
  private static final int LONGEST = 4 << 20;

  /**
   * A receiver can pass on a piece only when it has all of it: with k pieces and n receivers the
   * last one ends (k + log2(n)) / k times later than the link alone would make it.
   */
  private static final int WISHED = 320;

  private static final int LEAST = 64 << 10;
  private static final int MOST = 16 << 20;

  private Pieces() {}

  /**
   * Whether pieces may have this length: a power of two, so that it is made of whole chunks that
   * HDFS keeps checksums of.
   *
   * @param bytes of a piece
   */
  public static boolean possible(long bytes) {
    return bytes >= LEAST && bytes <= MOST && Long.bitCount(bytes) == 1;
  }

  /**
   * @param fileLength bytes
   * @return bytes, a power of two
   */
  public static int length(long fileLength) {
    long wished = Long.highestOneBit(Math.max(1, fileLength / WISHED));
    return (int) Math.min(LONGEST, Math.max(SHORTEST, wished));
  }
}
