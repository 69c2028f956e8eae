package io.orchestra.hadoop.prefetch.algorithm.shadow;

import java.util.Comparator;

/**
 * What tells the asks of one application apart. The smaller number is served first.
 *
 * @param priority of the ask
 * @param allocationRequestId 0 for asks of MapReduce
 */
public record AskKey(int priority, long allocationRequestId) implements Comparable<AskKey> {
  private static final Comparator<AskKey> ORDER =
      Comparator.comparingInt(AskKey::priority).thenComparingLong(AskKey::allocationRequestId);

  @Override
  public int compareTo(AskKey other) {
    return ORDER.compare(this, other);
  }
}
