package io.orchestra.hadoop.placement.algorithm;

import io.orchestra.hadoop.core.topology.NetworkTree;
import java.util.stream.IntStream;

/**
 * By the rate that one more copy would get: its fair share of what foreign traffic leaves, on the
 * link where that is least among all that the copy newly crosses, limited by its share of what the
 * disks can write. Where the disks are the limit, then by the links alone; where links of switches
 * are, then by the host's own.
 *
 * <p>The paper's residual capacity is zero on every link that replicas fill, and tells an idle link
 * with one copy from a busy one no more. TCP does: the former halves its rate, the latter gives
 * nothing.
 */
final class ShareRanking implements Ranking {
  /**
   * Binary digits of a rate that count, as a fraction of the median link: rates closer than 3 to 6
   * % are equal, and chance decides.
   */
  private static final int DIGITS = 4;

  /** The digits of a double that do not count. */
  private static final int DROPPED = 52 - DIGITS;

  /** Binary digits of a rank for each of its parts: more than a step has. */
  private static final int FIELD = 16;

  private final LinkSnapshot links;
  private final NetworkTree tree;
  private final double unit;

  ShareRanking(LinkSnapshot links) {
    this.links = links;
    tree = links.tree();
    unit = medianCapacity(tree);
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
    long expected = steps(Math.min(least, links.diskShare(host)));
    return expected << 2 * FIELD | steps(least) << FIELD | steps(links.share(host));
  }

  /**
   * Grows with the rate, by one at each step. An idle link is in the middle of a step, and one with
   * a little traffic on the same.
   */
  private long steps(long rate) {
    return (Double.doubleToRawLongBits(rate / unit) + (1L << (DROPPED - 1))) >>> DROPPED;
  }
}
