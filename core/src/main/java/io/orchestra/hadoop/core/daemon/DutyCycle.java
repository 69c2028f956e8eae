package io.orchestra.hadoop.core.daemon;

/**
 * Keeps work that holds up others to a share of the time, by pauses so many times as long as it. Of
 * the last two pieces of work the shorter counts: one alone may have waited for a processor, for
 * classes, or for memory to be collected, which says nothing of the next one. Not safe for
 * concurrent use.
 */
public final class DutyCycle {
  private final int rest;
  private long last;

  /**
   * @param rest how many times as long as the work the pause after it is
   */
  public DutyCycle(int rest) {
    this.rest = rest;
  }

  /**
   * The pause after a piece of work; none after the first.
   *
   * @param nanos that the work took
   * @return nanoseconds
   */
  public long pauseAfter(long nanos) {
    long shorter = Math.min(last, nanos);
    last = nanos;
    return rest * shorter;
  }
}
