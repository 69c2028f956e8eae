package io.orchestra.hadoop.broadcast.algorithm;

import java.util.OptionalLong;

/**
 * Decides for one receiver whether what the swarm brings falls short of what HDFS would: then
 * pieces are read from replicas as well, so that a file never comes much later than from HDFS
 * alone, but for the time in which it gives way to others. How fast that would be is known from
 * pieces that are read so now and then to find out.
 *
 * <p>For one thread at a time. Times are in nanoseconds.
 */
public final class Shortfall {
  /** Limits: others come and go, and what HDFS would bring changes. */
  private static final int LONGEST_UNTIL_SAMPLE = 12;

  /** Limits: who goes first may crawl, and HDFS would have brought this file meanwhile. */
  private static final int MOST_GIVEN = 12;

  private final long limit;
  private final long begun;
  private long nextSample;
  private double rate;
  private boolean behind;
  private boolean givesWay;
  private long givesWaySince;

  /** Until it gave way for the last time. */
  private long given;

  private OptionalLong failingSince = OptionalLong.empty();

  /**
   * @param limit how much later than from HDFS a file may come
   */
  public Shortfall(long limit, long begun) {
    this.limit = limit;
    this.begun = begun;
    nextSample = begun + limit;
  }

  /**
   * Other files of this host go first, or do not any more. Meanwhile less comes than HDFS would
   * bring, which would let them share the link: that time does not count.
   */
  public void giveWay(boolean yes, long now) {
    if (givesWay && !yes) {
      given += now - givesWaySince;
    } else if (!givesWay && yes) {
      givesWaySince = now;
    }
    givesWay = yes;
  }

  /** Whether it has time for that: twelve times the limit in all, and none while it is behind. */
  public boolean mayGiveWay(long now) {
    return !behind && given(now) < most();
  }

  /** How long it has given way. */
  public long given(long now) {
    return given + (givesWay ? now - givesWaySince : 0);
  }

  private long most() {
    return MOST_GIVEN * limit;
  }

  /**
   * Whether pieces are to be read from replicas, one after the other.
   *
   * @param arrived bytes, however they came
   * @param idle how long the swarm has brought nothing
   */
  public boolean isBehind(long now, long arrived, long idle) {
    // Whoever reads goes on until there is something in hand.
    long slack = behind ? limit / 2 : limit;
    long counted = now - begun - Math.min(given(now), most());
    behind = idle > limit / 2 || arrived < rate * (counted - slack);
    return behind;
  }

  /**
   * Whether nobody knows any more how long HDFS takes: for as long as the limit no replica has
   * given what was asked of it. It may be dead, or only slow.
   */
  public boolean isUnknown(long now) {
    return failingSince.isPresent() && now - failingSince.getAsLong() > limit;
  }

  /** Whether any replica has told how fast HDFS is. */
  public boolean isRateKnown() {
    return rate > 0;
  }

  /** What was asked of replicas has not come. */
  public void failed(long now) {
    if (failingSince.isEmpty()) {
      failingSince = OptionalLong.of(now);
    }
  }

  /**
   * Whether it is time to find out again how long HDFS takes: as often as the limit is long, but
   * after the first time all readers together ask each replica no more often than one alone, as
   * long as each asks every twelve limits. Not while it gives way: that takes of the link of others
   * what they are given, and tells little.
   */
  public boolean wantsSample(long now) {
    return !givesWay && now >= nextSample;
  }

  /**
   * A little was read to find out. From HDFS alone all readers would read the same replicas.
   *
   * @param readers of the file, this one among them
   */
  public void sampled(long bytes, long nanos, int replicas, int readers, long now) {
    double share = share(replicas, readers);
    known(rate(bytes, nanos) * share, now, pause(share));
  }

  /** Replicas answer, but what was missing was too little to tell how fast they are. */
  public void readTooLittle(int replicas, int readers, long now) {
    nextSample = now + pause(share(replicas, readers));
    failingSince = OptionalLong.empty();
  }

  private static double share(int replicas, int readers) {
    return Math.min(1, (double) replicas / readers);
  }

  private long pause(double share) {
    return (long) Math.min(limit / share, (double) LONGEST_UNTIL_SAMPLE * limit);
  }

  /** So much was read while the swarm was behind, which it is for the other readers as well. */
  public void read(long bytes, long nanos, long now) {
    known(rate(bytes, nanos), now, limit);
  }

  private void known(double newRate, long now, long pause) {
    rate = newRate;
    nextSample = now + pause;
    failingSince = OptionalLong.empty();
  }

  private static double rate(long bytes, long nanos) {
    return (double) bytes / Math.max(1, nanos);
  }
}
