package io.orchestra.hadoop.shuffle.algorithm;

import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * How the lanes of a reducer are divided among its senders at one moment: in proportion to the
 * bytes that remain, but more for a sender whose link is the bottleneck.
 *
 * <p>A hot sender that has too few outputs for its part makes the lanes of all fewer: what counts
 * is how lanes compare.
 */
final class Division<H, M> {
  /**
   * How much more than its bytes a sender counts whose link is the bottleneck. Its connections
   * cross two full links, and TCP gives them less than those that cross one. With more of them than
   * it needs its link is full all the time, and the others share what it leaves of the reducer's
   * own link. What a bottleneck does not carry now it carries at the end, when other links are
   * idle.
   */
  private static final double EMPHASIS = 2;

  /**
   * The same where the reducer's own link has less left to carry: it need not be full all the time,
   * and the others can do with few connections.
   */
  private static final double EMPHASIS_WITH_TIME = 4;

  /** A lane that is only due to rounding is none. */
  private static final double ROUNDING = 1e-6;

  private final List<Due<H, M>> dues;
  private final int lanes;
  private final int mostToOne;
  private final double attainable;

  /**
   * What a sender is to have.
   *
   * @param bytes that remain there for this reducer
   * @param hot whether others are to have fewer lanes if it cannot use its part
   * @param emphasised whether its link is the bottleneck, and it answers
   */
  record Claim<H, M>(Sender<H, M> sender, double bytes, boolean hot, boolean emphasised) {}

  /** How many lanes are due to a sender. */
  private static final class Due<H, M> {
    final Claim<H, M> claim;
    double lanes;

    /** Whether no change of others changes them. */
    boolean settled;

    Due(Claim<H, M> claim) {
      this.claim = claim;
    }

    /** How much of them the sender can have. */
    double attainable() {
      return claim.hot() && claim.sender().isWeighed()
          ? claim.sender().attainable() / lanes
          : Double.POSITIVE_INFINITY;
    }
  }

  /**
   * @param claims of all senders
   * @param lanes how many there are to divide
   * @param mostToOne the most to one sender
   */
  Division(List<Claim<H, M>> claims, int lanes, int mostToOne) {
    this.lanes = lanes;
    this.mostToOne = mostToOne;
    dues = claims.stream().map(Due::new).toList();
    divide(hasTime(claims) ? EMPHASIS_WITH_TIME : EMPHASIS);
    attainable = dues.stream().mapToDouble(Due::attainable).reduce(1, Math::min);
  }

  /**
   * Whether a bottleneck has more left to carry than the reducer's own link. Also where it had not
   * at first: a link that falls behind catches up.
   */
  private static boolean hasTime(List<? extends Claim<?, ?>> claims) {
    double own = 0;
    double busiest = 0;
    for (Claim<?, ?> claim : claims) {
      own += claim.bytes();
      busiest = claim.emphasised() ? Math.max(busiest, left(claim)) : busiest;
    }
    return own < Gate.BUSIEST * busiest;
  }

  /** What a sender's link has left to carry, if others have got as much of it as this reducer. */
  private static double left(Claim<?, ?> claim) {
    Share load = claim.sender().load();
    return claim.bytes() / load.own() * load.all();
  }

  /** Emphasis ends where a sender can use no more lanes, and leaves one lane to the others. */
  private void divide(double most) {
    double all = 0;
    double emphasised = 0;
    for (Due<H, M> due : dues) {
      all += due.claim.bytes();
      emphasised += due.claim.emphasised() ? due.claim.bytes() : 0;
    }
    double emphasis =
        emphasised == 0
            ? 1
            : Math.max(1, Math.min(most, (lanes - 1) * (all - emphasised) / emphasised));
    while (share(emphasis)) {
      settle(lanes / all);
    }
  }

  /**
   * Shares what is not settled.
   *
   * @return whether a sender that counts more than its bytes has more than it can use
   */
  private boolean share(double emphasis) {
    double left = lanes;
    double weights = 0;
    for (Due<H, M> due : dues) {
      left -= due.settled ? due.lanes : 0;
      weights += due.settled ? 0 : weight(due.claim, emphasis);
    }
    boolean tooMuch = false;
    for (Due<H, M> due : dues) {
      if (!due.settled) {
        due.lanes = weights == 0 ? 0 : left * weight(due.claim, emphasis) / weights;
        tooMuch |= due.claim.emphasised() && due.lanes > usable(due.claim);
      }
    }
    return tooMuch;
  }

  /**
   * @param proportional lanes for a byte, without emphasis
   */
  private void settle(double proportional) {
    for (Due<H, M> due : dues) {
      double usable = usable(due.claim);
      if (!due.settled && due.claim.emphasised() && due.lanes > usable) {
        due.lanes = Math.max(usable, proportional * due.claim.bytes());
        due.settled = true;
      }
    }
  }

  private static double weight(Claim<?, ?> claim, double emphasis) {
    return claim.emphasised() ? emphasis * claim.bytes() : claim.bytes();
  }

  private int usable(Claim<H, M> claim) {
    return Math.min(mostToOne, claim.sender().attainable());
  }

  /**
   * Whether there are as many lanes as hot senders allow.
   *
   * @param inUse lanes
   * @param least how many there may be at any rate
   */
  boolean isFull(int inUse, int least) {
    return attainable < 1 && inUse >= Math.max(least, attainable * lanes);
  }

  /**
   * The next chunk, from the sender that lacks most of its part of the lanes: argmax of F_i b_ij /
   * B_i - n_ij.
   *
   * @param random decides among equals
   * @param room whether there is memory for outputs that have not been begun
   */
  Optional<Chunk<H, M>> next(LaneLimits limits, Random random, boolean room) {
    Due<H, M> best = null;
    double worst = Double.NEGATIVE_INFINITY;
    int equals = 0;
    for (Due<H, M> due : dues) {
      Sender<H, M> sender = due.claim.sender();
      if (!sender.isAvailable(room) || sender.lanes() >= most(due)) {
        continue;
      }
      double lack = due.lanes * attainable - sender.lanes();
      if (lack > worst) {
        best = due;
        worst = lack;
        equals = 1;
      } else if (lack == worst && random.nextInt(++equals) == 0) {
        best = due;
      }
    }
    return Optional.ofNullable(best).map(due -> chunk(due, limits, room));
  }

  /** The most lanes to a sender. */
  private double most(Due<H, M> due) {
    return attainable < 1
        ? Math.max(1, Math.min(mostToOne, Math.ceil(due.lanes * attainable - ROUNDING)))
        : mostToOne;
  }

  /**
   * Where one lane is enough, and a bottleneck elsewhere, it fetches all at once, as stock does:
   * new connections take more of a full link than older ones.
   */
  private Chunk<H, M> chunk(Due<H, M> due, LaneLimits limits, boolean room) {
    double part = due.lanes * attainable;
    boolean alone =
        part <= 1 + ROUNDING
            && !due.claim.emphasised()
            && dues.stream().anyMatch(each -> each.claim.emphasised());
    long waiting = dues.stream().mapToLong(each -> each.claim.sender().waiting()).sum();
    return due.claim
        .sender()
        .take(alone ? limits.longest() : limits.request(waiting, lanes, part), room);
  }
}
