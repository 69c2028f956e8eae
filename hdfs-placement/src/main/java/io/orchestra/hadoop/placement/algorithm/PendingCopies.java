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
    if (host.isPresent()) {
      placements.add(placement);
      count(host.getAsInt(), placement, 1);
    }
  }

  /** Does nothing if it does not count here. */
  void remove(Placement placement) {
    if (placements.remove(placement)) {
      count(tree.host(placement.host()), placement, -1);
    }
  }

  private void count(int host, Placement placement, int times) {
    int node = host;
    for (int link = 0; link < placement.links() && node != tree.core(); link++) {
      copies.addAndGet(node, times);
      rates.addAndGet(node, times * placement.rate());
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
