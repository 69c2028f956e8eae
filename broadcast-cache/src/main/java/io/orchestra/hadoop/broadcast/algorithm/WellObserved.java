package io.orchestra.hadoop.broadcast.algorithm;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.stream.IntStream;

/**
 * The peers of which enough is known to place them: the largest set in which each has times with at
 * least so many others of the set, and is linked with all others through such times.
 *
 * <p>Without the first, a peer could lie anywhere on a circle around the one or two it was seen
 * with; without the second, nothing says how far apart two groups are.
 */
final class WellObserved {
  private WellObserved() {}

  /**
   * @param times symmetric; NaN where unknown
   * @param candidates the only peers that count
   * @param least how many others each must have times with
   * @return ascending; empty if there is no such set
   */
  static int[] among(double[][] times, int[] candidates, int least) {
    BitSet left = new BitSet();
    Arrays.stream(candidates).forEach(left::set);
    boolean changed = true;
    while (changed) {
      int[] poor = left.stream().filter(peer -> known(times[peer], left) < least).toArray();
      Arrays.stream(poor).forEach(left::clear);
      changed = poor.length > 0;
    }
    BitSet largest = new BitSet();
    while (left.cardinality() > largest.cardinality()) {
      BitSet linked = linked(times, left, left.nextSetBit(0));
      left.andNot(linked);
      if (linked.cardinality() > largest.cardinality()) {
        largest = linked;
      }
    }
    return largest.stream().toArray();
  }

  private static long known(double[] row, BitSet peers) {
    return neighbours(row, peers).count();
  }

  private static IntStream neighbours(double[] row, BitSet peers) {
    return peers.stream().filter(peer -> !Double.isNaN(row[peer]));
  }

  private static BitSet linked(double[][] times, BitSet peers, int first) {
    BitSet reached = new BitSet();
    Deque<Integer> toVisit = new ArrayDeque<>();
    reached.set(first);
    toVisit.add(first);
    while (!toVisit.isEmpty()) {
      int peer = toVisit.remove();
      neighbours(times[peer], peers)
          .filter(neighbour -> !reached.get(neighbour))
          .forEach(
              neighbour -> {
                reached.set(neighbour);
                toVisit.add(neighbour);
              });
    }
    return reached;
  }
}
