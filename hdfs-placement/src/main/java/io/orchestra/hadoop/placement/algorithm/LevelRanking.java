package io.orchestra.hadoop.placement.algorithm;

import io.orchestra.hadoop.core.topology.NetworkTree;
import java.util.HashMap;
import java.util.Map;

/**
 * The paper's order (Sinbad, pseudocode 2): by the expected capacity of the host's link at the
 * bottleneck level, then, inside the subtree behind it, by that of the host's own link.
 *
 * <p>The bottleneck level is the one that is most oversubscribed, of equals the farthest from the
 * core; without oversubscription the hosts' links (section 6.1). Expected capacity is {@code
 * min(Cap - Rx, DiskWriteCap)}.
 */
final class LevelRanking implements Ranking {
  private final LinkSnapshot links;

  /** For each host the lower end of its link at the bottleneck level; perhaps the host itself. */
  private final int[] bottleneck;

  LevelRanking(LinkSnapshot links) {
    this.links = links;
    bottleneck = bottlenecks(links.tree());
  }

  @Override
  public long rank(int host, int top) {
    return kibibytes(bottleneck[host], host) << Integer.SIZE | kibibytes(host, host);
  }

  private long kibibytes(int node, int host) {
    return Math.min(
        Math.min(links.residual(node), links.diskCapacity(host)) >> 10, Integer.MAX_VALUE);
  }

  private static int[] bottlenecks(NetworkTree tree) {
    int level = bottleneckLevel(tree);
    int[] bottlenecks = new int[tree.hosts()];
    for (int host = 0; host < tree.hosts(); host++) {
      int at = host;
      while (at != tree.core() && depth(tree, at) != level) {
        at = tree.parent(at);
      }
      bottlenecks[host] = at == tree.core() ? host : at;
    }
    return bottlenecks;
  }

  /**
   * @return a depth below the core; -1 for the hosts' links, whatever their depths
   */
  private static int bottleneckLevel(NetworkTree tree) {
    double[] below = new double[tree.nodes()];
    for (int node = 0; node < tree.core(); node++) {
      below[tree.parent(node)] += tree.capacity(node);
    }
    Map<Integer, Double> oversubscription = new HashMap<>();
    for (int node = tree.hosts(); node < tree.core(); node++) {
      oversubscription.merge(depth(tree, node), below[node] / tree.capacity(node), Math::max);
    }
    int level = -1;
    double most = 1;
    for (Map.Entry<Integer, Double> candidate : oversubscription.entrySet()) {
      double factor = candidate.getValue();
      if (factor > most || factor == most && factor > 1 && candidate.getKey() > level) {
        level = candidate.getKey();
        most = factor;
      }
    }
    return level;
  }

  private static int depth(NetworkTree tree, int node) {
    int depth = 0;
    for (int at = node; at != tree.core(); at = tree.parent(at)) {
      depth++;
    }
    return depth;
  }
}
