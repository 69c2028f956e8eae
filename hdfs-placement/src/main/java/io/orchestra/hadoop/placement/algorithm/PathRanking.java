package io.orchestra.hadoop.placement.algorithm;

import io.orchestra.hadoop.core.topology.NetworkTree;
import java.util.stream.IntStream;

/**
 * First by expected capacity: the least residual capacity of all links that the copy newly crosses,
 * limited by what the disks can write. Then, where the disks are the limit, by the links alone.
 * Generalizes the paper's choice to several bottlenecks on one path (Sinbad, section 6.3).
 */
final class PathRanking implements Ranking {
  /** Rates closer than this fraction of the median link are equal, and chance decides. */
  private static final double RESOLUTION = 0.02;

  private final LinkSnapshot links;
  private final NetworkTree tree;
  private final long quantum;

  PathRanking(LinkSnapshot links) {
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
    long least = links.residual(host);
    for (int node = tree.parent(host);
        node != top && node != tree.core();
        node = tree.parent(node)) {
      least = Math.min(least, links.residual(node));
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
