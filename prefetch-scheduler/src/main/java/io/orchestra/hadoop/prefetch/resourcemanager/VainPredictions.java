package io.orchestra.hadoop.prefetch.resourcemanager;

import java.util.concurrent.TimeUnit;

/**
 * Predictions that were given up since they took too long, one after the other. Each has held the
 * scheduler up, or the processor, for as long as it may, and was of no use. Where that is so
 * because the scheduler is too large, or the horizon too far, the next is of none either: so after
 * each in a row the rest until the next is twice as long, up to half an hour, and one that is whole
 * ends all that. After a single one, which may have been held up itself, the rest is short. Not
 * safe for concurrent use.
 */
final class VainPredictions {
  private static final long FIRST_REST = TimeUnit.SECONDS.toNanos(2);
  private static final long LONGEST_REST = TimeUnit.MINUTES.toNanos(30);

  /** So many in a row are no accident. */
  static final int REMARKABLE = 3;

  /** More doublings than there are up to the longest rest. */
  private static final int MOST_DOUBLINGS = 20;

  private int inARow;
  private long restsUntil;

  /**
   * One more was in vain.
   *
   * @param now nanoseconds
   * @return whether somebody should hear of it, which is once in a row
   */
  boolean another(long now) {
    restsUntil = now + Math.min(LONGEST_REST, FIRST_REST << Math.min(inARow, MOST_DOUBLINGS));
    inARow++;
    return inARow == REMARKABLE;
  }

  /** One was whole. */
  void end() {
    inARow = 0;
  }

  /**
   * Whether none is to be made now.
   *
   * @param now nanoseconds
   */
  boolean rest(long now) {
    return inARow > 0 && now - restsUntil < 0;
  }
}
