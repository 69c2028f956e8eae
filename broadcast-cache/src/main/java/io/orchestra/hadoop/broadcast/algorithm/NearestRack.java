package io.orchestra.hadoop.broadcast.algorithm;

import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Finds racks for peers that the mixture gave none, or one of their own.
 *
 * <p>A peer alone in its rack is more often a slow host than a rack: all its times are long, but
 * those with its own rack still less than the others. It joins the rack with which its times are
 * least, if those with all other racks together show a {@link Slowdown}; chance, which has as many
 * tries as there are racks, would show one for one peer in twenty at most. Where there is nothing
 * to compare with it stays.
 */
final class NearestRack {
  static final int NONE = -1;

  private static final double CHANCE = 0.05;

  private final double[][] times;
  private final int[] racks;
  private final int[] sizes;

  /**
   * @param times symmetric; NaN where unknown
   * @param racks for each peer the number of its rack, or {@link #NONE}
   */
  NearestRack(double[][] times, int[] racks) {
    this.times = times;
    this.racks = racks.clone();
    sizes = new int[Arrays.stream(racks).max().orElse(NONE) + 1];
    Arrays.stream(racks).filter(rack -> rack != NONE).forEach(rack -> sizes[rack]++);
  }

  /** For each peer the number of its rack, or {@link #NONE}; a rack may have lost its only peer. */
  int[] adopted() {
    return IntStream.range(0, racks.length)
        .map(peer -> settled(peer) ? racks[peer] : nearest(peer).orElse(racks[peer]))
        .toArray();
  }

  private boolean settled(int peer) {
    return racks[peer] != NONE && sizes[racks[peer]] > 1;
  }

  private OptionalInt nearest(int peer) {
    int[] inhabited = IntStream.range(0, sizes.length).filter(rack -> sizes[rack] > 0).toArray();
    if (inhabited.length == 1) {
      // No boundary was seen anywhere: whoever else there is lies within it.
      return OptionalInt.of(inhabited[0]);
    }
    return Arrays.stream(inhabited)
        .filter(rack -> sizes[rack] > 1 && known(peer, rack, true).length > 0)
        .boxed()
        .min((one, other) -> Double.compare(typical(peer, one), typical(peer, other)))
        .filter(rack -> inhabited.length * chance(peer, rack) < CHANCE)
        .map(OptionalInt::of)
        .orElseGet(OptionalInt::empty);
  }

  private double chance(int peer, int rack) {
    return Slowdown.of(known(peer, rack, true), known(peer, rack, false)).chance();
  }

  private double typical(int peer, int rack) {
    return Arrays.stream(known(peer, rack, true)).map(Math::log).average().orElseThrow();
  }

  /** Known times of a peer with the others of a rack, or with the peers of all other racks. */
  private double[] known(int peer, int rack, boolean inside) {
    return IntStream.range(0, racks.length)
        .filter(other -> other != peer && racks[other] != NONE && (racks[other] == rack) == inside)
        .mapToDouble(other -> times[peer][other])
        .filter(time -> !Double.isNaN(time))
        .toArray();
  }
}
