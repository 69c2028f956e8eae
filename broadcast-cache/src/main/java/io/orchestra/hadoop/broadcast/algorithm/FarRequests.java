package io.orchestra.hadoop.broadcast.algorithm;

import java.util.OptionalLong;

/**
 * How many pieces one receiver may have asked of far neighbours at a time.
 *
 * <p>It begins with one, and may have two more with each piece that comes. In the beginning only
 * replicas have anything, and what they send is their operating system's as soon as it is written:
 * if all receivers asked them for several pieces at once, all of these would come late and
 * together, and until then receivers had nothing for each other. As long as nothing has come it may
 * have one more after a second, and after twice as long each time, since who was asked first may be
 * dead.
 *
 * <p>For one thread at a time. Times are in nanoseconds.
 */
final class FarRequests {
  private static final int OPENED_BY_PIECE = 2;

  private final int expensive;

  /** By how long their pieces take. */
  private int most;

  /** By what has come. */
  private int opened = 1;

  /** When anything was first asked for; empty before. */
  private OptionalLong begun = OptionalLong.empty();

  /**
   * @param expensive how many while the way to far neighbours is expensive, which it is taken for
   *     as long as nothing is known; twice as many while it is not
   */
  FarRequests(int expensive) {
    this.expensive = expensive;
    most = expensive;
  }

  /** Anybody was asked for a piece. */
  void asked(long now) {
    if (begun.isEmpty()) {
      begun = OptionalLong.of(now);
    }
  }

  /** A piece has come from whoever was asked for it. */
  void came(long now) {
    opened = Math.min(opened + openedByWaiting(now) + OPENED_BY_PIECE, 2 * expensive);
  }

  /** Whether pieces from far neighbours take much longer than others. */
  void areExpensive(boolean yes) {
    most = yes ? expensive : 2 * expensive;
  }

  /** How many there may be now. */
  int most(long now) {
    return Math.min(most, opened + openedByWaiting(now));
  }

  /** One after a second without a piece, two after two, three after four. */
  private int openedByWaiting(long now) {
    if (opened > 1 || begun.isEmpty()) {
      return 0;
    }
    long waited = (now - begun.getAsLong()) / ServiceTimes.PATIENCE;
    return Long.SIZE - Long.numberOfLeadingZeros(waited);
  }
}
