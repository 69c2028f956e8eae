package io.orchestra.hadoop.placement.algorithm;

import io.orchestra.hadoop.core.topology.NetworkTree;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Replicas that were placed and that no measurement shows yet: how many new copies every link
 * carries, and at what rate they count (the paper's hysteresis). Safe for concurrent use, without
 * locks.
 */
final class PendingCopies {

  /**
   * One placed replica.
   *
   * @param host its name
   * @param links how many the copy crosses, from the host upwards
   * @param rate it counts with, bytes per second
   * @param time nanoseconds
   */
  record Placement(String host, int links, long rate, long time) {}

  private final NetworkTree tree;
  private final Queue<Placement> placements = new ConcurrentLinkedQueue<>();

  /** By node: those on the link down to it. */
  private final AtomicIntegerArray copies;

  /** By node, bytes per second. */
  private final AtomicLongArray rates;

  PendingCopies(NetworkTree tree) {
    this.tree = tree;
    copies = new AtomicIntegerArray(tree.nodes());
    rates = new AtomicLongArray(tree.nodes());
  }

  /** Does nothing if the host is gone. */
  void add(Placement placement) {
    OptionalInt host = tree.findHost(placement.host());
    if (host.isEmpty()) {
      return;
    }
    placements.add(placement);
    int node = host.getAsInt();
    for (int link = 0; link < placement.links() && node != tree.core(); link++) {
      copies.incrementAndGet(node);
      rates.addAndGet(node, placement.rate());
      node = tree.parent(node);
    }
  }

  Iterable<Placement> placements() {
    return placements;
  }

  int copies(int node) {
    return copies.get(node);
  }

  long rate(int node) {
    return rates.get(node);
  }
}
