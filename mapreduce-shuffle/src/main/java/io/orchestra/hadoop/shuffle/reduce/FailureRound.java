package io.orchestra.hadoop.shuffle.reduce;

/**
 * What is counted of the failures of one host, from the first to the end of the penalty for it: as
 * much as stock would count, whose one fetcher meets a host's failure once. A lane that was begun
 * before the first failure meets the same one, however late. For one thread at a time.
 */
final class FailureRound {
  /** What one request of stock's asks for. */
  static final int MOST_OUTPUTS = 20;

  private final LaneHost accuser;
  private int left;

  /**
   * @param accuser whoever met it first: all of its failures count
   * @param others how many outputs of other lanes count
   */
  FailureRound(LaneHost accuser, int others) {
    this.accuser = accuser;
    left = others;
  }

  /** Whether the failure of one output counts. */
  boolean counts(LaneHost lane, boolean readError) {
    return lane == accuser || (!readError && left-- > 0);
  }
}
