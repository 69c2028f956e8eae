package io.orchestra.hadoop.prefetch.algorithm.flow;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.OptionalLong;

/** The least rate at which a block is there in time (FlexFetch, section III-B1: B / (d − t)). */
public final class RequiredRate {
  private static final double NANOS = 1e9;

  /** Faster than any link, and sums of it are no trouble. */
  private static final long MOST = 1L << 48;

  private RequiredRate() {}

  /**
   * @param remaining bytes still to come
   * @param now nanoseconds of some clock
   * @param deadline nanoseconds of the same clock
   * @return bytes per second, rounded up, from 1 to 2⁴⁸; empty if the deadline has passed
   */
  public static OptionalLong of(long remaining, long now, long deadline) {
    checkArgument(remaining >= 0, "%s bytes remain", remaining);
    if (deadline - now <= 0) {
      return OptionalLong.empty();
    }
    double rate = Math.ceil(remaining * NANOS / (deadline - now));
    return OptionalLong.of(Math.min(MOST, Math.max(1, (long) rate)));
  }
}
