package io.orchestra.hadoop.prefetch.algorithm.flow;

import com.google.common.collect.Iterables;
import io.orchestra.hadoop.core.topology.Link;
import java.util.HashMap;
import java.util.Map;

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

  /** What a flow's last link, that of its target, has left. */
  long into(PrefetchFlow flow) {
    return Math.max(0, left(Iterables.getLast(network.path(flow))));
  }

  private long left(Link link) {
    return left.computeIfAbsent(link, network::room);
  }

  /** It is gone for those who come later. */
  void take(PrefetchFlow flow, long rate) {
    network.path(flow).forEach(link -> left.put(link, left(link) - rate));
  }
}
