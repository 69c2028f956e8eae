package io.orchestra.hadoop.shuffle.algorithm;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.List;

/**
 * What one reducer knows of the whole shuffle. It counts what has been fetched, too.
 *
 * @param senders each sender whose sizes are known, in no order
 * @param reducers how many the job has
 */
public record Demand(List<Share> senders, int reducers) {
  public Demand {
    checkArgument(reducers > 0, "%s reducers", reducers);
    senders = List.copyOf(senders);
  }

  /** Bytes for this reducer: D_i. */
  public long own() {
    return senders.stream().mapToLong(Share::own).sum();
  }

  /** Bytes that a reducer gets on average. */
  public double mean() {
    return (double) senders.stream().mapToLong(Share::all).sum() / reducers;
  }

  /**
   * Bytes that cross the busiest link, as far as this reducer can tell; where links are equal, they
   * bound the time of the shuffle from below. Of other reducers only their average is known.
   */
  public double bottleneck() {
    long busiestSender = senders.stream().mapToLong(Share::all).max().orElse(0);
    return Math.max(mean(), Math.max(own(), busiestSender));
  }
}
