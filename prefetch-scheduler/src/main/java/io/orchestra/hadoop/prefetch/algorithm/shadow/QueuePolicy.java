package io.orchestra.hadoop.prefetch.algorithm.shadow;

import java.util.Collection;
import java.util.Comparator;

/**
 * Who comes first in a queue, and what is fair. Handed in, so that the model follows the very
 * policy the real queue has.
 */
public interface QueuePolicy {

  /**
   * Orders children or applications of one queue. May depend on a member's usage, demand and
   * weight, and on nothing else that changes.
   */
  Comparator<ShadowSchedulable> comparator();

  /**
   * Sets the fair share of each. Depends on nothing that changes but their weights and the total.
   *
   * @param active applications, or queues that have running ones
   * @param total to share
   */
  void computeShares(Collection<? extends ShadowSchedulable> active, ResourceVector total);

  /** Whether usage is below a share. */
  boolean isBelow(ResourceVector usage, ResourceVector share);

  /** Whether a container is as large as a threshold. */
  boolean isAtLeast(ResourceVector container, ResourceVector threshold);
}
