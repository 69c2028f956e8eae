package io.orchestra.hadoop.core.daemon;

/**
 * Keeps work that holds up others to a share of the time, by pauses so many times as long as it.
 * They follow a moving average: a piece of work that was held up itself, since it waited for
 * classes, a processor or memory, is paid for with the pauses of many, and not with one after which
 * all is out of date. Together the pauses are as long as they have to be. Not safe for concurrent
 * use.
 */
public final class DutyCycle {
  /** Of the last piece of work in the average: as in TCP's of round trips (RFC 6298). */
  private static final double WEIGHT = 1.0 / 8;

  private final int rest;
  private double mean;

  /**
   * @param rest how many times as long as the work the pauses after it are
   */
  public DutyCycle(int rest) {
    this.rest = rest;
  }

  /**
   * The pause after a piece of work.
   *
   * @param nanos that the work took
   * @return nanoseconds
   */
  public long pauseAfter(long nanos) {
    mean += WEIGHT * (nanos - mean);
    return Math.round(rest * mean);
  }
}
