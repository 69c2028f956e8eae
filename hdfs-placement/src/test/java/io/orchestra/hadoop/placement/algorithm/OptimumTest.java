package io.orchestra.hadoop.placement.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.core.topology.NetworkTree;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Copies placed one by one against all ways of placing them, on clusters small enough to try all.
 * The cost of a placement is the time until the last copy is there, if links are shared equally.
 */
final class OptimumTest {
  private static final long CAPACITY = 1000;

  /** Hosts whose ranks are nearer than the resolution are equal to the chooser. */
  private static final double RESOLUTION = 1.07;

  @Property(tries = 300)
  void onOneSwitchNothingIsBetter(
      @ForAll @IntRange(min = 1, max = 5) int hosts,
      @ForAll @IntRange(min = 1, max = 5) int copies,
      @ForAll long seed) {
    Trial trial = Trial.of(hosts, 1, Long.MAX_VALUE, seed);

    assertThat(trial.greedy(copies)).isLessThanOrEqualTo(trial.optimum(copies) * RESOLUTION);
  }

  @Property(tries = 300)
  void behindOversubscribedRacksNothingIsTwiceAsGood(
      @ForAll @IntRange(min = 1, max = 5) int hosts,
      @ForAll @IntRange(min = 1, max = 5) int copies,
      @ForAll long seed) {
    Trial trial = Trial.of(hosts, 2, CAPACITY * 3 / 2, seed);

    assertThat(trial.greedy(copies)).isLessThanOrEqualTo(trial.optimum(copies) * 2);
  }

  private record Trial(NetworkTree tree, HostLoad[] loads, Random random) {

    static Trial of(int hosts, int racks, long uplink, long seed) {
      Random random = new Random(seed);
      NetworkTree.Builder tree = NetworkTree.builder();
      HostLoad[] loads = new HostLoad[hosts];
      for (int host = 0; host < hosts; host++) {
        String rack = "/r" + random.nextInt(racks);
        tree.host("h" + host, rack, CAPACITY);
        tree.switchCapacity(rack, uplink);
        loads[host] =
            HostLoad.foreign(random.nextInt((int) CAPACITY * 9 / 10), Long.MAX_VALUE, 1, 0);
      }
      return new Trial(tree.build(), loads, random);
    }

    private LinkSnapshot snapshot() {
      return new LinkSnapshot(tree, loads, Algorithm.SHARE, host -> true, random);
    }

    double greedy(int copies) {
      LinkSnapshot links = snapshot();
      Scope everywhere = Scope.everywhere(tree);
      for (int copy = 0; copy < copies; copy++) {
        links.place(links.best(everywhere, host -> true, random), everywhere, 1, 0);
      }
      return cost(links);
    }

    double optimum(int copies) {
      double best = Double.POSITIVE_INFINITY;
      long ways = Math.round(Math.pow(tree.hosts(), copies));
      for (long way = 0; way < ways; way++) {
        LinkSnapshot links = snapshot();
        long rest = way;
        for (int copy = 0; copy < copies; copy++) {
          links.place((int) (rest % tree.hosts()), Scope.everywhere(tree), 1, 0);
          rest /= tree.hosts();
        }
        best = Math.min(best, cost(links));
      }
      return best;
    }

    /** The longest that any link needs for one byte of each copy that crosses it. */
    private double cost(LinkSnapshot links) {
      double longest = 0;
      for (int node = 0; node < tree.core(); node++) {
        double available = Math.max(1, tree.capacity(node) - foreign(node));
        longest = Math.max(longest, links.copies(node) / available);
      }
      return longest;
    }

    /** What crosses the link from a node's parent if each host receives from all others alike. */
    private double foreign(int node) {
      double crossing = 0;
      for (int to = 0; to < tree.hosts(); to++) {
        for (int from = 0; from < tree.hosts(); from++) {
          if (from != to && tree.isBelow(to, node) && !tree.isBelow(from, node)) {
            crossing += (double) loads[to].foreign() / (tree.hosts() - 1);
          }
        }
      }
      return tree.hosts() == 1 && node == 0 ? loads[0].foreign() : crossing;
    }
  }
}
