package io.orchestra.hadoop.testbed.bench.prefetch;

import com.google.common.primitives.ImmutableIntArray;

/**
 * Jobs of one size and type (FlexFetch, table II).
 *
 * @param number as in the paper
 * @param maps of a job, different for all bins of a kind
 */
record Bin(int number, Kind kind, int maps) {
  /** Bins up to this one are small jobs. */
  private static final int LAST_SMALL = 5;

  /** Jobs of each bin in the paper. */
  private static final ImmutableIntArray IN_PAPER =
      ImmutableIntArray.of(6, 6, 20, 5, 5, 2, 2, 2, 1, 1);

  boolean isSmall() {
    return number <= LAST_SMALL;
  }

  /** How many of the paper's 50 jobs are of this bin. */
  int jobsInPaper() {
    return IN_PAPER.get(number - 1);
  }
}
