package io.orchestra.hadoop.testbed.bench.prefetch;

/**
 * Jobs of one size and type (FlexFetch, table II).
 *
 * @param number as in the paper
 * @param maps of each job, different for all bins of a kind
 * @param jobs of a schedule
 */
record Bin(int number, Kind kind, int maps, int jobs) {
  /** Bins up to this one are small jobs. */
  static final int LAST_SMALL = 5;

  boolean isSmall() {
    return number <= LAST_SMALL;
  }
}
