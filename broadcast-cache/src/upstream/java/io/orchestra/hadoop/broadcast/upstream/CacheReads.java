package io.orchestra.hadoop.broadcast.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the HDFS clients of a suite read through the block cache: the evidence that it took part.
 *
 * <p>The suites make their clients themselves and pass nothing through, so this is static and
 * suites must not run in parallel.
 */
final class CacheReads {
  private static final AtomicLong OPENED = new AtomicLong();
  private static final AtomicLong LEFT_TO_HDFS = new AtomicLong();
  private static final AtomicLong BYTES = new AtomicLong();
  private static final AtomicLong FAILURES = new AtomicLong();

  private CacheReads() {}

  /** A block is read through the cache. */
  static void opened() {
    OPENED.incrementAndGet();
  }

  /** A block is read from HDFS. */
  static void leftToHdfs() {
    LEFT_TO_HDFS.incrementAndGet();
  }

  /** A client has had bytes of the cache. */
  static void read(int bytes) {
    BYTES.addAndGet(bytes);
  }

  /** The cache failed in the middle of a block. */
  static void failed() {
    FAILURES.incrementAndGet();
  }

  /** Called after all tests of a suite: every block was read through the cache. */
  static void verify() {
    verifyMost();
    assertEquals(0, LEFT_TO_HDFS.get(), "blocks left to HDFS");
  }

  /**
   * {@link #verify()} for a suite with readers that are refused, and go to HDFS to hear it there.
   */
  static void verifyMost() {
    print();
    assertTrue(BYTES.get() > 0, "nothing was read through the block cache");
    assertTrue(OPENED.get() > LEFT_TO_HDFS.get(), "most blocks were left to HDFS");
    assertEquals(0, FAILURES.get(), "failures in the middle of a block");
  }

  /** {@link #verify()} for a suite whose tests read the same number of bytes each time. */
  static void verify(long bytes) {
    verify();
    assertEquals(bytes, BYTES.get(), "bytes read through the block cache");
  }

  private static void print() {
    System.out.printf(
        "Read through the block cache: %s bytes, blocks opened %s times, %s failures; left to HDFS: %s times%n",
        BYTES, OPENED, FAILURES, LEFT_TO_HDFS);
  }
}
