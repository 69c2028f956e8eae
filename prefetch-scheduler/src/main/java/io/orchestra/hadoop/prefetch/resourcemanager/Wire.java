package io.orchestra.hadoop.prefetch.resourcemanager;

/** What the bytes of blocks become on links. */
final class Wire {
  /** What Ethernet, IP, TCP and HDFS's checksums add to them. */
  private static final double HEADERS = 1.055;

  private Wire() {}

  /**
   * @param bytes of blocks, or of blocks in a second
   * @return bytes that pass a link for them
   */
  static long bytes(long bytes) {
    return Math.round(bytes * HEADERS);
  }

  /** The same in bits. */
  static long bits(long bytes) {
    return Math.round(bytes * HEADERS * Byte.SIZE);
  }
}
