package io.orchestra.hadoop.shuffle.algorithm;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * How the lanes of a reducer are divided among its senders at one moment: in proportion to the
 * bytes that remain, but more for a sender whose link is the bottleneck.
 *
 * <p>A hot sender that has too few outputs for its part makes the lanes of all fewer: what counts
 * is how lanes compare.
 *
 * @param claims of all senders
 * @param lanes how many there are to divide
 */
record Division<H, M>(List<Claim<H, M>> claims, int lanes) {
  /**
   * How much more than its bytes a sender counts whose link is the bottleneck. Its connections
   * cross two full links, and TCP gives them less than those that cross one. With more of them than
   * it needs its link is full all the time, and the others share what it leaves of the reducer's
   * own link: one or two connections do. What a bottleneck does not carry now it carries at the
   * end, when other links are idle.
   */
  private static final double EMPHASIS = 4;

  /** A lane that is only due to rounding is none. */
  private static final double ROUNDING = 1e-6;

  /**
   * What a sender is to have.
   *
   * @param bytes that remain there for this reducer
   * @param hot whether others are to have fewer lanes if it cannot use its part
   * @param emphasised whether its link is the bottleneck
   */
  record Claim<H, M>(Sender<H, M> sender, double bytes, boolean hot, boolean emphasised) {}

  /**
   * Whether there are as many lanes as hot senders allow. Here no sender is emphasised: that its
   * link is to be full is no reason for having fewer lanes than other reducers.
   *
   * @param inUse lanes
   * @param least how many there may be at any rate
   */
  boolean isFull(int inUse, int least) {
    double attainable = attainable(Claim::bytes);
    return attainable < 1 && inUse >= Math.max(least, attainable * lanes);
  }

  /** How much of its part of the lanes each hot sender can have; 1 if all of it. */
  private double attainable(ToDoubleFunction<Claim<H, M>> weight) {
    double all = sum(weight);
    return claims.stream()
        .filter(claim -> claim.hot() && claim.sender().isWeighed())
        .mapToDouble(
            claim -> claim.sender().attainable() * all / (lanes * weight.applyAsDouble(claim)))
        .reduce(1, Math::min);
  }

  /**
   * Emphasis ends where a sender can use no more lanes: it is not to make those of others fewer.
   */
  private double weight(Claim<H, M> claim) {
    double bytes = claim.bytes();
    if (!claim.emphasised()) {
      return bytes;
    }
    double emphasised = EMPHASIS * bytes;
    double usable = claim.sender().attainable();
    if (usable >= lanes) {
      return emphasised;
    }
    double others = sum(Claim::bytes) - bytes;
    return Math.max(bytes, Math.min(emphasised, others * usable / (lanes - usable)));
  }

  private double sum(ToDoubleFunction<Claim<H, M>> weight) {
    return claims.stream().mapToDouble(weight).sum();
  }

  /**
   * The next chunk, from the sender that lacks most of its part of the lanes: argmax of F_i b_ij /
   * B_i - n_ij.
   *
   * @param reducers how many the job has
   * @param random decides among equals
   * @param room whether there is memory for outputs that have not been begun
   */
  Optional<Chunk<H, M>> next(LaneLimits limits, int reducers, Random random, boolean room) {
    double all = sum(this::weight);
    double perWeight = all > 0 ? lanes / all : 0;
    double attainable = attainable(this::weight);
    int most = limits.lanesToOne(reducers);
    Claim<H, M> best = null;
    double worst = Double.NEGATIVE_INFINITY;
    int equals = 0;
    for (Claim<H, M> claim : claims) {
      Sender<H, M> sender = claim.sender();
      double part = perWeight * weight(claim);
      if (!sender.isAvailable(room) || sender.lanes() >= most(part, attainable, most)) {
        continue;
      }
      double lack = part * attainable - sender.lanes();
      if (lack > worst) {
        best = claim;
        worst = lack;
        equals = 1;
      } else if (lack == worst && random.nextInt(++equals) == 0) {
        best = claim;
      }
    }
    return Optional.ofNullable(best)
        .map(claim -> chunk(claim, perWeight * weight(claim) * attainable, limits, room));
  }

  /** The most lanes to a sender with this part of them. */
  private static double most(double part, double attainable, int most) {
    return attainable < 1
        ? Math.max(1, Math.min(most, Math.ceil(part * attainable - ROUNDING)))
        : most;
  }

  /**
   * Where one lane is enough, and a bottleneck elsewhere, it fetches all at once, as stock does:
   * new connections take more of a full link than older ones.
   */
  private Chunk<H, M> chunk(Claim<H, M> claim, double part, LaneLimits limits, boolean room) {
    boolean alone =
        part <= 1 + ROUNDING && !claim.emphasised() && claims.stream().anyMatch(Claim::emphasised);
    long waiting = claims.stream().mapToLong(each -> each.sender().waiting()).sum();
    return claim
        .sender()
        .take(alone ? limits.longest() : limits.request(waiting, lanes, part), room);
  }
}
