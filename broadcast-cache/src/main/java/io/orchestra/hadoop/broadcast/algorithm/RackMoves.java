package io.orchestra.hadoop.broadcast.algorithm;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Puts single peers right that the mixture gave to a wrong rack: few times, and some of them
 * guessed, may place a peer between two racks.
 *
 * <p>A time speaks for one rack if it is below the middle of what is typical inside racks and
 * between them, and against it if it is above. Each peer goes where most speaks for it, until none
 * moves: a local search for the correlation clustering (Bansal, Blum and Chawla, 2004), and the
 * likeliest racks if noise is alike everywhere. Peers alone in their rack stay; see {@link
 * NearestRack}.
 */
final class RackMoves {
  private static final int ROUNDS = 20;

  /** Logarithms; NaN where unknown, and on the diagonal. */
  private final double[][] times;

  private final int[] racks;

  /** NaN if there are no two kinds of times; then nothing speaks for any rack. */
  private final double middle;

  /**
   * @param times symmetric; NaN where unknown, and on the diagonal
   * @param racks for each peer the number of its rack
   */
  RackMoves(double[][] times, int[] racks) {
    this.times =
        Arrays.stream(times)
            .map(row -> Arrays.stream(row).map(Math::log).toArray())
            .toArray(double[][]::new);
    this.racks = racks.clone();
    middle = (typical(true) + typical(false)) / 2;
  }

  /** For each peer the number of its rack. */
  int[] settled() {
    boolean moved = true;
    for (int round = 0; moved && round < ROUNDS; round++) {
      moved = false;
      for (int peer = 0; peer < racks.length; peer++) {
        int best = best(peer);
        moved |= best != racks[peer];
        racks[peer] = best;
      }
    }
    return racks;
  }

  private int best(int peer) {
    int own = racks[peer];
    boolean alone = IntStream.of(racks).filter(rack -> rack == own).count() == 1;
    // The own rack comes first, so that none moves to one that is as good.
    return IntStream.concat(IntStream.of(own), IntStream.of(racks))
        .distinct()
        .limit(alone ? 1 : racks.length)
        .boxed()
        .min(Comparator.comparingDouble(rack -> against(peer, rack)))
        .orElseThrow();
  }

  /** Zero for a rack with which no time is known: better than one that is known to be far. */
  private double against(int peer, int rack) {
    return IntStream.range(0, racks.length)
        .filter(other -> racks[other] == rack)
        .mapToDouble(other -> times[peer][other] - middle)
        .filter(time -> !Double.isNaN(time))
        .sum();
  }

  private double typical(boolean inside) {
    return IntStream.range(0, racks.length)
        .boxed()
        .flatMapToDouble(
            i ->
                IntStream.range(0, i)
                    .filter(j -> (racks[i] == racks[j]) == inside)
                    .mapToDouble(j -> times[i][j]))
        .filter(time -> !Double.isNaN(time))
        .average()
        .orElse(Double.NaN);
  }
}
