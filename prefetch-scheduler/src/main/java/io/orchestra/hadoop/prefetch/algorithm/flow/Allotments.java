package io.orchestra.hadoop.prefetch.algorithm.flow;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.SetMultimap;
import com.google.common.math.LongMath;
import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.core.topology.NetworkTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The books of the paper's Network Controller (FlexFetch, table I): which flow has which rate on
 * which directed link (host up, rack up, rack down, host down), in bytes per second. It enforces
 * nothing; a driver does. Not safe for concurrent use.
 */
public final class Allotments {
  private NetworkTree network;

  /** What could come up to each switch at once, bytes per second. */
  private Map<String, Long> below;

  private final double usableShare;
  private final ToLongFunction<Link> otherTraffic;
  private final Map<PrefetchFlow, Long> rates = new HashMap<>();
  private final SetMultimap<Link, PrefetchFlow> flows = LinkedHashMultimap.create();
  private final Map<Link, Long> allotted = new HashMap<>();

  /**
   * @param usableShare of each link that prefetches may take, above 0 and at most 1
   * @param otherTraffic bytes per second on a link that no driver holds back for prefetches; always
   *     0 where prefetches have priority, as in the paper
   */
  public Allotments(NetworkTree network, double usableShare, ToLongFunction<Link> otherTraffic) {
    checkArgument(usableShare > 0 && usableShare <= 1, "a usable share of %s", usableShare);
    this.network = network;
    below = below(network);
    this.usableShare = usableShare;
    this.otherTraffic = otherTraffic;
  }

  /** Hosts have come or gone, or links have other capacities. Flows of hosts that are gone end. */
  public void network(NetworkTree changed) {
    Map<PrefetchFlow, Long> before = Map.copyOf(rates);
    before.keySet().forEach(this::abandon);
    network = changed;
    below = below(changed);
    before.forEach(
        (flow, rate) -> {
          if (knows(flow.source()) && knows(flow.target())) {
            allot(flow, rate);
          }
        });
  }

  private static Map<String, Long> below(NetworkTree network) {
    long[] sums = new long[network.nodes()];
    for (int node = 0; node < network.core(); node++) {
      long sent = network.capacity(node);
      if (node >= network.hosts()) {
        sent = Math.min(sent, sums[node]);
      }
      int parent = network.parent(node);
      sums[parent] = LongMath.saturatedAdd(sums[parent], sent);
    }
    return IntStream.range(network.hosts(), network.core())
        .boxed()
        .collect(Collectors.toMap(network::name, node -> sums[node]));
  }

  /**
   * Gives a flow a rate on every link it passes; another one if it has one already.
   *
   * @throws IllegalArgumentException if a host of the flow is unknown
   */
  public void allot(PrefetchFlow flow, long rate) {
    checkArgument(rate > 0, "%s cannot have the rate %s", flow, rate);
    List<Link> path = path(flow);
    abandon(flow);
    rates.put(flow, rate);
    for (Link link : path) {
      flows.put(link, flow);
      allotted.merge(link, rate, Long::sum);
    }
  }

  /** Takes a flow's rate back; nothing happens if it has none. */
  public void abandon(PrefetchFlow flow) {
    Long rate = rates.remove(flow);
    if (rate == null) {
      return;
    }
    for (Link link : path(flow)) {
      flows.remove(link, flow);
      // Without traffic it is forgotten: with another capacity a link is another one.
      allotted.computeIfPresent(
          link, (same, before) -> before.equals(rate) ? null : Long.valueOf(before - rate));
    }
  }

  /** Whether a host is part of the network. */
  public boolean knows(String host) {
    return network.findHost(host).isPresent();
  }

  /** The links a flow passes, in order; empty if source and target are the same host. */
  public List<Link> path(PrefetchFlow flow) {
    return network.path(flow.source(), flow.target());
  }

  /**
   * How much of what could come up to its links at once the narrowest link of a flow's path
   * carries: 1 where none is oversubscribed.
   */
  public double subscription(PrefetchFlow flow) {
    return path(flow).stream().mapToDouble(this::subscription).min().orElse(1);
  }

  private double subscription(Link link) {
    return Math.min(1, (double) link.capacity() / below.getOrDefault(link.node(), link.capacity()));
  }

  /** What a link has for all of its flows together, whatever they have. */
  public long room(Link link) {
    return (long) (link.capacity() * usableShare) - otherTraffic.applyAsLong(link);
  }

  /** What a link has left for another flow; negative if its flows have more than there is. */
  public long capacity(Link link) {
    return room(link) - allotted(link);
  }

  /** What all flows on a link have together. */
  public long allotted(Link link) {
    return allotted.getOrDefault(link, 0L);
  }

  /** Flows that have a rate on this link. */
  public Set<PrefetchFlow> flows(Link link) {
    return ImmutableSet.copyOf(flows.get(link));
  }

  /** A flow's rate; 0 if it has none. */
  public long rate(PrefetchFlow flow) {
    return rates.getOrDefault(flow, 0L);
  }

  /** Those of which anything is allotted. */
  @VisibleForTesting
  Set<Link> links() {
    return ImmutableSet.copyOf(allotted.keySet());
  }

  /** All flows that have a rate. */
  @VisibleForTesting
  Set<PrefetchFlow> flows() {
    return ImmutableSet.copyOf(rates.keySet());
  }
}
