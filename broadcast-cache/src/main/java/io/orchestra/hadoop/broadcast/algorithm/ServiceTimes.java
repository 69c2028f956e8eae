package io.orchestra.hadoop.broadcast.algorithm;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * How long the neighbours of a receiver take for a piece, and so what is late or expensive. Times
 * are in nanoseconds.
 *
 * @param <N> identity of a neighbour
 */
final class ServiceTimes<N> {
  /**
   * A piece that is nearby too is fetched from afar only if it comes so many times sooner; and
   * where pieces from afar take more than so many times as long as others, the way is expensive.
   */
  private static final double FAR_COST = 2;

  /** A piece is late when it takes so many times as long as pieces do. */
  private static final double LATE = 2;

  /**
   * Until a piece that somebody waits for is asked of a second neighbour, at least; twice as long
   * for each one more, or behind a slow link it would come once from each.
   */
  static final long PATIENCE = 1_000_000_000L;

  private static final int MOST_DOUBLINGS = 10;

  private final Collection<Neighbour<N>> neighbours;

  /**
   * @param neighbours live
   */
  ServiceTimes(Collection<Neighbour<N>> neighbours) {
    this.neighbours = neighbours;
  }

  /** Also as long as that is not known; not where nobody is near, who would have to share it. */
  boolean isFarExpensive() {
    if (neighbours.stream().noneMatch(Neighbour::near)) {
      return false;
    }
    double far = typical(neighbour -> !neighbour.near());
    double near = typical(Neighbour::near);
    return far == 0 || near == 0 || far > FAR_COST * near;
  }

  /** Of a piece from a far neighbour that is nearby, too. */
  double costOfFar(Neighbour<N> far, long now) {
    double expected = far.expected(now);
    return expected == 0 ? Double.MAX_VALUE : FAR_COST * expected;
  }

  /** Whether a neighbour should have sent a piece that it was asked for. */
  boolean isLate(Neighbour<N> asked, int piece, long now) {
    double late = late();
    // Before anything has come nobody knows what is usual.
    return asked.isLate(piece, now, late, late > 0 ? 1 : PATIENCE);
  }

  /** Whether everything is late that was asked for; also if nothing was. */
  boolean areAllLate(long now) {
    return neighbours.stream()
        .allMatch(other -> other.asked().stream().allMatch(piece -> isLate(other, piece, now)));
  }

  /** Whether all who were asked for a piece are late with it; also if nobody was. */
  boolean areAllLate(int piece, long now) {
    List<Neighbour<N>> asked = neighbours.stream().filter(other -> other.wasAsked(piece)).toList();
    double late = late();
    long least = PATIENCE << Math.min(Math.max(0, asked.size() - 1), MOST_DOUBLINGS);
    return asked.stream().allMatch(other -> other.isLate(piece, now, late, least));
  }

  /** After which a piece is late. */
  private double late() {
    return LATE * typical(neighbour -> true);
  }

  /** The median of some neighbours; 0 if nothing has come from them. */
  private double typical(Predicate<Neighbour<N>> of) {
    double[] times =
        neighbours.stream()
            .filter(of)
            .mapToDouble(Neighbour::serviceTime)
            .filter(time -> time > 0)
            .sorted()
            .toArray();
    return times.length == 0 ? 0 : times[times.length / 2];
  }
}
