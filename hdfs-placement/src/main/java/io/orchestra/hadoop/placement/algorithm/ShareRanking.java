package io.orchestra.hadoop.placement.algorithm;

import io.orchestra.hadoop.core.topology.NetworkTree;
import java.util.stream.IntStream;

/**
 * By the rate that one more copy would get: its fair share of what foreign traffic leaves, on the
 * link where that is least among all that the copy newly crosses, limited by what the disks can
 * write. Where the disks are the limit, then by the links alone.
 *
 * <p>The paper's residual capacity is zero on every link that replicas fill, and tells an idle link
 * with one copy from a busy one no more. TCP does: the former halves its rate, the latter gives
 * nothing.
 */
final class ShareRanking implements Ranking {
  /** Rates closer than this fraction of the median link are equal, and chance decides. */
  private static final double RESOLUTION = 0.02;

  private final LinkSnapshot links;
  private final NetworkTree tree;
  private final long quantum;

  ShareRanking(LinkSnapshot links) {
    this.links = links;
    tree = links.tree();
    quantum = Math.max(1, (long) (medianCapacity(tree) * RESOLUTION));
  }

  private static long medianCapacity(NetworkTree tree) {
    return IntStream.range(0, tree.hosts())
        .mapToLong(tree::capacity)
        .sorted()
        .skip(tree.hosts() / 2)
        .findFirst()
        .orElse(1);
  }

  @Override
  public long rank(int host, int top) {
    long least = links.share(host);
    for (int node = tree.parent(host);
        node != top && node != tree.core();
        node = tree.parent(node)) {
      least = Math.min(least, links.share(node));
    }
    long expected = steps(Math.min(least, links.diskCapacity(host)));
    return expected << Integer.SIZE | steps(least);
  }

  /**
   * Rounded, so that an idle link and one with a little traffic do not fall on two sides of a step.
   */
  private long steps(long rate) {
    return Math.min((rate + quantum / 2) / quantum, Integer.MAX_VALUE);
  }
}
