package io.orchestra.hadoop.broadcast.algorithm;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.math3.util.CombinatoricsUtils;

/**
 * Makes one rack of two between which no boundary is clear. The mixture may see groups in noise:
 * points drawn from few times are no Gaussians, and the best of many ways to part them looks good.
 *
 * <p>A boundary is clear if times across it are {@value #WORTH_MINDING} times as long as those on
 * both sides, since one that costs less is not worth minding, and if this is no chance. As peers
 * were parted to make it so, the chance of a {@link Slowdown} is multiplied by the number of ways
 * to part them into two racks of these sizes (Bonferroni). So the noise of one rack seldom passes
 * for a boundary, whatever the mixture proposes.
 *
 * <p>Boundaries that nothing is known of fall last, as then more is known of fewer racks.
 */
final class RackBoundaries {
  private static final double WORTH_MINDING = 1.5;
  private static final double CHANCE = 0.01;

  private final double[][] times;
  private final int[] racks;

  private record Boundary(int one, int other, Slowdown slowdown, double waysToPart) {
    boolean clear() {
      return slowdown.factor() >= WORTH_MINDING && slowdown.chance() * waysToPart < CHANCE;
    }
  }

  /**
   * @param times symmetric; NaN where unknown
   * @param racks for each peer the number of its rack
   */
  RackBoundaries(double[][] times, int[] racks) {
    this.times = times;
    this.racks = racks.clone();
  }

  /** For each peer the number of its rack. The lowest boundaries fall first. */
  int[] clear() {
    Optional<Boundary> unclear = leastUnclear();
    while (unclear.isPresent()) {
      Boundary falls = unclear.get();
      members(falls.other).forEach(peer -> racks[peer] = falls.one);
      unclear = leastUnclear();
    }
    return racks;
  }

  private Optional<Boundary> leastUnclear() {
    int[] inhabited = IntStream.of(racks).distinct().sorted().toArray();
    return IntStream.of(inhabited)
        .boxed()
        .flatMap(
            one ->
                IntStream.of(inhabited)
                    .filter(other -> other > one)
                    .mapToObj(other -> boundary(one, other)))
        .filter(boundary -> !boundary.clear())
        .min(Comparator.comparingDouble(boundary -> boundary.slowdown.factor()));
  }

  private Boundary boundary(int one, int other) {
    int[] both = IntStream.concat(members(one), members(other)).toArray();
    double ways =
        Math.exp(
            CombinatoricsUtils.binomialCoefficientLog(both.length, (int) members(one).count()));
    return new Boundary(one, other, Slowdown.of(known(both, true), known(both, false)), ways);
  }

  private IntStream members(int rack) {
    return IntStream.range(0, racks.length).filter(peer -> racks[peer] == rack);
  }

  private double[] known(int[] peers, boolean inside) {
    return IntStream.of(peers)
        .boxed()
        .flatMapToDouble(
            i ->
                IntStream.of(peers)
                    .filter(j -> j < i && (racks[i] == racks[j]) == inside)
                    .mapToDouble(j -> times[i][j]))
        .filter(time -> !Double.isNaN(time))
        .toArray();
  }
}
