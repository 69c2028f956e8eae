package io.orchestra.hadoop.broadcast.algorithm;

import com.google.common.collect.ImmutableSet;
import java.time.Duration;
import java.util.Set;

/**
 * Decides whether files that come to one host take turns. That is worth it where together they fill
 * its link: what some leave another gets. Where the one that goes first comes from slow hosts,
 * nobody gets it. How fast a link is nobody knows, and what else it carries changes, so both are
 * tried: the files come together for a while, then in turns for as long as nearly as much comes as
 * before.
 *
 * <p>For one thread at a time. Times are in nanoseconds, rates in bytes per nanosecond.
 */
public final class Turns {
  /** Bytes are counted for so long. */
  private static final long WINDOW = Duration.ofSeconds(3).toNanos();

  /** Not counted after a change: what was asked for before still comes, or the first is awaited. */
  private static final long SETTLING = Duration.ofSeconds(1).toNanos();

  /** In turns, until it is found out again how much comes together. */
  private static final long LONGEST_STINT = Duration.ofSeconds(30).toNanos();

  /** Together after turns that were not worth it; twice as long each time. */
  private static final long SHORTEST_PAUSE = Duration.ofSeconds(10).toNanos();

  private static final long LONGEST_PAUSE = Duration.ofSeconds(80).toNanos();

  /** Of what comes together. The rest is noise, and what fewer connections get of a shared link. */
  private static final double LEAST = 0.8;

  private static final long NONE = -1;

  private Set<?> files = ImmutableSet.of();
  private boolean inTurns;
  private long stintSince;
  private long pause;
  private long togetherUntil;
  private double rateTogether;

  /** Of turns that seemed not to be worth it. */
  private double rateFailed = NONE;

  private long windowFrom;
  private long bytesThen;
  private long lastStep;

  /**
   * Called a few times a second.
   *
   * @param present files that come to this host and can take turns
   * @param bytes that have come to it up to now, of all files; it never falls
   * @return whether they do from now on
   */
  public boolean inTurns(Set<?> present, long bytes, long now) {
    boolean isNew = !files.containsAll(present);
    boolean isChanged = !files.equals(present);
    files = ImmutableSet.copyOf(present);
    if (files.size() < 2) {
      inTurns = false;
      files = ImmutableSet.of();
      return false;
    }
    if (isNew) {
      rateFailed = NONE;
      pause = SHORTEST_PAUSE;
      comeTogether(now, now);
    } else if (isChanged && !inTurns) {
      pause = SHORTEST_PAUSE;
      togetherUntil = now;
    } else if (isChanged || now - lastStep > WINDOW) {
      // Another one goes first, or this process stood still, and what waits comes at once.
      begin(now + SETTLING);
    }
    lastStep = now;
    if (bytesThen == NONE) {
      if (now - windowFrom >= 0) {
        windowFrom = now;
        bytesThen = bytes;
      }
    } else if (now - windowFrom >= WINDOW) {
      judge((double) (bytes - bytesThen) / (now - windowFrom), now);
    }
    return inTurns;
  }

  private void judge(double rate, long now) {
    if (!inTurns) {
      cameTogether(rate, now);
    } else if (rate < LEAST * rateTogether) {
      rateFailed = rate;
      comeTogether(now, now + pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    } else if (LEAST * rate > rateTogether) {
      // Swarms had only begun when it was measured, or there was other traffic.
      comeTogether(now, now);
    } else if (now - stintSince >= LONGEST_STINT) {
      pause = SHORTEST_PAUSE;
      comeTogether(now, now);
    } else {
      begin(now);
    }
  }

  private void cameTogether(double rate, long now) {
    rateTogether = rate;
    if (rateFailed != NONE && rateFailed >= LEAST * rate) {
      // Other traffic takes what was missed, not the turns.
      togetherUntil = now;
      pause = Math.max(pause / 2, SHORTEST_PAUSE);
    }
    rateFailed = NONE;
    if (now - togetherUntil >= 0) {
      inTurns = true;
      stintSince = now;
      begin(now + SETTLING);
    } else {
      begin(now);
    }
  }

  private void comeTogether(long now, long until) {
    inTurns = false;
    togetherUntil = until;
    begin(now + SETTLING);
  }

  /** A window begins with the first call from then on. */
  private void begin(long from) {
    windowFrom = from;
    bytesThen = NONE;
  }
}
