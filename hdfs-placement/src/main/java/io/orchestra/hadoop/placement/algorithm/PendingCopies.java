package io.orchestra.hadoop.placement.algorithm;

import io.orchestra.hadoop.core.topology.NetworkTree;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Replicas that were placed but not yet measured: how many new copies every link carries, and at
 * what rate they count (the paper's hysteresis). Safe for concurrent use, without locks.
 */
final class PendingCopies {
  private final NetworkTree tree;

  /** By node: those on the link down to it. */
  private final AtomicIntegerArray copies;

  /** By node, bytes per second. */
  private final AtomicLongArray rates;

  /** By host: the part that also crosses the switches above it. */
  private final AtomicIntegerArray copiesFromCore;

  private final AtomicLongArray ratesFromCore;

  PendingCopies(NetworkTree tree) {
    this.tree = tree;
    copies = new AtomicIntegerArray(tree.nodes());
    rates = new AtomicLongArray(tree.nodes());
    copiesFromCore = new AtomicIntegerArray(tree.hosts());
    ratesFromCore = new AtomicLongArray(tree.hosts());
  }

  /**
   * @param fromCore whether the copies come from above the host's own rack
   * @param rate of all of them, bytes per second
   */
  void add(int host, boolean fromCore, int count, long rate) {
    copies.addAndGet(host, count);
    rates.addAndGet(host, rate);
    if (!fromCore) {
      return;
    }
    copiesFromCore.addAndGet(host, count);
    ratesFromCore.addAndGet(host, rate);
    for (int node = tree.parent(host); node != tree.core(); node = tree.parent(node)) {
      copies.addAndGet(node, count);
      rates.addAndGet(node, rate);
    }
  }

  /** Takes over what is pending on one host of an earlier tree. */
  void carry(int host, PendingCopies previous, int hostBefore) {
    int countFromCore = previous.copiesFromCore.get(hostBefore);
    long rateFromCore = previous.ratesFromCore.get(hostBefore);
    add(host, true, countFromCore, rateFromCore);
    add(
        host,
        false,
        previous.copies.get(hostBefore) - countFromCore,
        previous.rates.get(hostBefore) - rateFromCore);
  }

  int copies(int node) {
    return copies.get(node);
  }

  long rate(int node) {
    return rates.get(node);
  }
}
