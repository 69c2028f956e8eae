package io.orchestra.hadoop.broadcast.algorithm;

import java.time.Duration;

/**
 * Decides whether files that come to one host take turns. That is worth it where together they fill
 * its link: what some leave another gets. Where the one that goes first comes from slow hosts,
 * nobody gets it. How fast a link is nobody knows, and what else it carries changes, so both are
 * tried: the files come together for a while, then in turns for as long as nearly as much comes as
 * before.
 *
 * <p>For one thread at a time. Times are in nanoseconds.
 */
public final class Turns {
  /** Bytes are counted for so long. */
  private static final long WINDOW = Duration.ofSeconds(3).toNanos();

  /** Not counted after a change: what was asked for before still comes, or the first is awaited. */
  private static final long SETTLING = Duration.ofSeconds(1).toNanos();

  /** In turns, until it is found out again how much comes together. */
  private static final long LONGEST = Duration.ofSeconds(30).toNanos();

  /** Together after turns that were not worth it; twice as long each time. */
  private static final long PAUSE = Duration.ofSeconds(10).toNanos();

  private static final long LONGEST_PAUSE = Duration.ofSeconds(80).toNanos();

  /** Of what comes together. The rest is noise, and what fewer connections get of a shared link. */
  private static final double LEAST = 0.8;

  /** Between two calls; what comes while this process stands still tells nothing. */
  private static final long LONGEST_STEP = Duration.ofSeconds(1).toNanos();

  private boolean underWay;
  private boolean inTurns;
  private long since;
  private long pause;
  private long togetherUntil;
  private double together;
  private long windowFrom;
  private long bytesThen;
  private long lastStep;

  /**
   * Called a few times a second.
   *
   * @param files that come to this host and would take turns
   * @param bytes that have come to it up to now, of all files; it never falls
   * @return whether they do from now on
   */
  public boolean inTurns(int files, long bytes, long now) {
    if (files < 2) {
      underWay = false;
      return false;
    }
    if (!underWay) {
      underWay = true;
      pause = PAUSE;
      comeTogether(now, now);
    } else if (now - lastStep > LONGEST_STEP) {
      begin(now);
    }
    lastStep = now;
    if (bytesThen < 0) {
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
      together = rate;
      if (now - togetherUntil >= 0) {
        inTurns = true;
        since = now;
        begin(now + SETTLING);
        return;
      }
    } else if (rate < LEAST * together) {
      comeTogether(now, now + pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
      return;
    } else if (now - since >= LONGEST) {
      pause = PAUSE;
      comeTogether(now, now);
      return;
    }
    begin(now);
  }

  private void comeTogether(long now, long until) {
    inTurns = false;
    togetherUntil = until;
    begin(now + SETTLING);
  }

  /** A window begins with the first call from then on. */
  private void begin(long from) {
    windowFrom = from;
    bytesThen = -1;
  }
}
