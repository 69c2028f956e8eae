package io.orchestra.hadoop.prefetch.algorithm.flow;

import io.orchestra.hadoop.core.topology.Link;
import java.util.List;
import java.util.Set;

/** What the paper's Network Controller offers (FlexFetch, table I). Rates are bytes per second. */
public interface NetworkController {

  /**
   * Gives a flow a rate on every link it passes; another one if it has one already.
   *
   * @throws IllegalArgumentException if a host of the flow is unknown
   */
  void allot(PrefetchFlow flow, long rate);

  /** Takes a flow's rate back; nothing happens if it has none. */
  void abandon(PrefetchFlow flow);

  /** Whether a host is part of the network. */
  boolean knows(String host);

  /** The links a flow passes, in order; empty if source and target are the same host. */
  List<Link> path(PrefetchFlow flow);

  /**
   * How much of what the hosts below its links could send at once the narrowest link of a flow's
   * path carries: 1 where none is oversubscribed.
   */
  double subscription(PrefetchFlow flow);

  /** What a link has for all of its flows together, whatever they have. */
  long room(Link link);

  /** What a link has left for another flow; negative if its flows have more than there is. */
  default long capacity(Link link) {
    return room(link) - allotted(link);
  }

  /** What all flows on a link have together. */
  long allotted(Link link);

  /** Flows that have a rate on this link. */
  Set<PrefetchFlow> flows(Link link);

  /** A flow's rate; 0 if it has none. */
  long rate(PrefetchFlow flow);
}
