package io.orchestra.hadoop.prefetch.algorithm.flow;

import io.orchestra.hadoop.core.topology.Link;
import java.util.HashMap;
import java.util.Map;

/**
 * What links have for all prefetches together, whomever rates were allotted to, for one plan: who
 * is asked for first gets first. Bytes per second. Not safe for concurrent use.
 */
final class LinkRoom {
  private final NetworkController network;
  private final Map<Link, Long> left = new HashMap<>();

  LinkRoom(NetworkController network) {
    this.network = network;
  }

  /** What all links of a flow's path have left; none if it passes no link. */
  long of(PrefetchFlow flow) {
    long least = network.path(flow).stream().mapToLong(this::of).min().orElse(0);
    return Math.max(0, least);
  }

  /** What a link has left; negative if more was allotted than there is. */
  long of(Link link) {
    return left.computeIfAbsent(link, this::all);
  }

  private long all(Link link) {
    return network.capacity(link) + network.flows(link).stream().mapToLong(network::rate).sum();
  }

  /** It is gone for those who come later. */
  void take(PrefetchFlow flow, long rate) {
    network.path(flow).forEach(link -> left.put(link, of(link) - rate));
  }
}
