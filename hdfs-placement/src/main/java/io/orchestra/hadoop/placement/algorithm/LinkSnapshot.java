package io.orchestra.hadoop.placement.algorithm;

import static com.google.common.base.Preconditions.checkArgument;

import io.orchestra.hadoop.core.topology.NetworkTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * How much every link can still receive, and which host is best for the next replica (Sinbad,
 * section 6 and pseudocode 2, with decisions taken at once, q = 0).
 *
 * <p>Loads are fixed; on top of them comes the <i>pending</i> load of replicas placed since (the
 * paper's hysteresis), which lasts until the host's next measurement. Safe for concurrent use,
 * without locks: two placements at the same instant may miss each other, and the next snapshot one
 * that is made while it takes the pending load over.
 */
public final class LinkSnapshot {
  private static final double SHORTEST_WAIT_SECONDS = 0.1;

  private final NetworkTree tree;
  private final HostLoad[] loads;
  private final long[] received;
  private final long[] foreign;

  /** By node: the replicas being written that cross the link down to it. */
  private final int[] copies;

  private final PendingCopies pending;
  private final Ranking ranking;

  /** One order of the hosts below each switch, by its number less that of hosts. */
  private final CandidateOrder[] orders;

  /**
   * @param tree capacities of all links
   * @param loads one a host, by the host's number; what a host receives beyond its link's capacity
   *     does not count
   * @param algorithm which host is best
   * @param candidates the hosts that may be chosen at all
   */
  public LinkSnapshot(
      NetworkTree tree,
      HostLoad[] loads,
      Algorithm algorithm,
      IntPredicate candidates,
      Random random) {
    checkArgument(loads.length == tree.hosts(), "%s loads, %s hosts", loads.length, tree.hosts());
    this.tree = tree;
    this.loads = loads.clone();
    received = sumUpToCapacity(HostLoad::received);
    foreign = foreign();
    copies = countCopies();
    pending = new PendingCopies(tree);
    ranking = algorithm.over(this);
    orders = orders(candidates, random);
  }

  private CandidateOrder[] orders(IntPredicate candidates, Random random) {
    List<IntStream.Builder> below = new ArrayList<>();
    for (int node = tree.hosts(); node < tree.nodes(); node++) {
      below.add(IntStream.builder());
    }
    for (int host = 0; host < tree.hosts(); host++) {
      if (candidates.test(host)) {
        for (int node = tree.parent(host); node >= 0; node = tree.parent(node)) {
          below.get(node - tree.hosts()).add(host);
        }
      }
    }
    return IntStream.range(tree.hosts(), tree.nodes())
        .mapToObj(
            top ->
                new CandidateOrder(
                    below.get(top - tree.hosts()).build(), host -> ranking.rank(host, top), random))
        .toArray(CandidateOrder[]::new);
  }

  private long[] sumUpToCapacity(ToLongFunction<HostLoad> rate) {
    return tree.sumOverSubtrees(
        IntStream.range(0, loads.length)
            .mapToLong(host -> Math.min(rate.applyAsLong(loads[host]), tree.capacity(host)))
            .toArray());
  }

  /**
   * Of what the hosts below a switch receive that part crosses its link which would if all other
   * hosts sent alike. Of silent ones nobody knows that they receive anything.
   */
  private long[] foreign() {
    long[] sums = sumUpToCapacity(load -> load.isSilent() ? 0 : load.foreign());
    long[] below =
        tree.sumOverSubtrees(IntStream.range(0, loads.length).mapToLong(h -> 1).toArray());
    for (int node = 0; node < tree.core(); node++) {
      if (node >= tree.hosts()) {
        double outside = loads.length - below[node];
        sums[node] = (long) (sums[node] * (outside / Math.max(1, loads.length - 1)));
      } else if (loads[node].isSilent()) {
        sums[node] = tree.capacity(node);
      }
    }
    return sums;
  }

  private int[] countCopies() {
    int[] counts = new int[tree.nodes()];
    for (int host = 0; host < loads.length; host++) {
      for (int source : loads[host].copySources()) {
        for (int node = host;
            node != tree.core() && (source == HostLoad.OUTSIDE || !tree.isBelow(source, node));
            node = tree.parent(node)) {
          counts[node]++;
        }
      }
    }
    return counts;
  }

  /**
   * Takes over what was placed and does not show yet in the measurements behind this snapshot.
   *
   * @param setup how long after its placement a copy may need to begin
   * @return this, which no other thread may know yet
   */
  public LinkSnapshot carryPendingFrom(LinkSnapshot previous, Duration setup) {
    for (Placement placement : previous.pending.placements()) {
      OptionalInt host = tree.findHost(placement.host());
      if (host.isPresent()
          && loads[host.getAsInt()].measured() - placement.time() < setup.toNanos()) {
        pending.add(placement);
      }
    }
    return this;
  }

  public NetworkTree tree() {
    return tree;
  }

  /**
   * Finds the host in {@code scope} with the highest rank.
   *
   * @param acceptable further conditions; called once or more for some hosts
   * @return the host's number; -1 if there is no acceptable one
   */
  public int best(Scope scope, IntPredicate acceptable, RandomGenerator random) {
    if (scope.outside()) {
      return bestOutside(scope.node(), acceptable, random);
    }
    return order(scope.node()).best(acceptable, host -> ranking.rank(host, scope.node()), random);
  }

  /**
   * A copy that comes from below {@code source} climbs no farther than to the first switch that the
   * host is below, too: what is above it does not count. Of equals chance decides, by how many
   * hosts each switch has below it.
   */
  private int bestOutside(int source, IntPredicate acceptable, RandomGenerator random) {
    int best = -1;
    long bestRank = -1;
    int compared = 0;
    int passed = source;
    for (int top = tree.parent(source); top >= 0; top = tree.parent(top)) {
      int below = passed;
      int common = top;
      int found =
          order(common)
              .best(
                  host -> !tree.isBelow(host, below) && acceptable.test(host),
                  host -> ranking.rank(host, common),
                  random);
      int hosts = order(common).size() - order(below).size();
      compared += hosts;
      if (found >= 0) {
        long rank = ranking.rank(found, common);
        if (rank > bestRank || rank == bestRank && random.nextInt(compared) < hosts) {
          best = found;
          bestRank = rank;
        }
      }
      passed = top;
    }
    return best;
  }

  private CandidateOrder order(int top) {
    return orders[top - tree.hosts()];
  }

  /**
   * Counts a replica that was placed as load until a measurement shows it: {@code I = min(Cap - v,
   * Size / delta)}.
   *
   * @param scope the replica was chosen from; the copy comes from inside it, or, if that is what
   *     the scope leaves out, from there
   * @param bytes of the block
   * @param now nanoseconds, on the clock of {@link HostLoad#nextUpdate}
   * @return what it counts as
   */
  public Placement place(int host, Scope scope, long bytes, long now) {
    double wait = Math.max(SHORTEST_WAIT_SECONDS, (loads[host].nextUpdate() - now) / 1e9);
    double rate = Math.max(0, bytes) / wait;
    long increment = (long) Math.min(residual(host), rate);
    int links = 0;
    for (int node = host; isCrossed(node, scope); node = tree.parent(node)) {
      links++;
    }
    Placement placement = new Placement(tree.name(host), links, increment, now);
    pending.add(placement);
    return placement;
  }

  /** Nobody writes this replica: it is no load any more, if it was one here. */
  public void takeBack(Placement placement) {
    pending.remove(placement);
  }

  /** Whether a copy to a host at or below this node crosses the link from the node's parent. */
  private boolean isCrossed(int node, Scope scope) {
    return scope.outside()
        ? node != tree.core() && !tree.isBelow(scope.node(), node)
        : node < scope.node();
  }

  /**
   * What the link from the node's parent can still bring, bytes per second: its capacity less its
   * measured and its pending load, at least 0.
   */
  public long residual(int node) {
    return Math.max(0, tree.capacity(node) - received[node] - pending.rate(node));
  }

  /** Measured load of the link from the node's parent, bytes per second. */
  public long received(int node) {
    return received[node];
  }

  /** Load of replicas placed since the last measurement, bytes per second. */
  public long pending(int node) {
    return pending.rate(node);
  }

  /** Replicas being written that cross the link from the node's parent, placed ones included. */
  public int copies(int node) {
    return copies[node] + pending.copies(node);
  }

  /**
   * What one more copy would get of the link from the node's parent, bytes per second: an equal
   * share of what foreign traffic leaves. How much of that crosses the link of a switch is
   * estimated.
   */
  public long share(int node) {
    return Math.max(0, tree.capacity(node) - foreign[node]) / (copies(node) + 1);
  }

  /**
   * What one more copy would get of what the host's disks can write, beside those that come over
   * its link and those of its own writers, bytes per second.
   */
  long diskShare(int host) {
    int writers = loads[host].copySources().size() + pending.copies(host);
    return loads[host].diskCapacity() / (writers + 1);
  }

  /** What the host's disks can write, bytes per second. */
  long diskCapacity(int host) {
    return loads[host].diskCapacity();
  }
}
