package io.orchestra.hadoop.prefetch.algorithm.flow;

import io.orchestra.hadoop.core.topology.Link;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What links have for all prefetches together, while it is given away: who is asked for first gets
 * first. Bytes per second. Not safe for concurrent use.
 */
final class LinkRoom {
  private final Allotments network;
  private final Map<Link, Long> left = new HashMap<>();

  LinkRoom(Allotments network) {
    this.network = network;
  }

  /** What all links of a flow's path have left. */
  long of(PrefetchFlow flow) {
    long least = network.path(flow).stream().mapToLong(this::left).min().orElse(0);
    return Math.max(0, least);
  }

  /** What those links have left that all of these flows pass: one at least. */
  long shared(List<PrefetchFlow> flows) {
    Set<Link> shared = new HashSet<>(network.path(flows.get(0)));
    flows.forEach(flow -> shared.retainAll(network.path(flow)));
    return Math.max(0, shared.stream().mapToLong(this::left).min().orElseThrow());
  }

  private long left(Link link) {
    return left.computeIfAbsent(link, network::room);
  }

  /** It is gone for those who come later. */
  void take(PrefetchFlow flow, long rate) {
    network.path(flow).forEach(link -> left.put(link, left(link) - rate));
  }
}
