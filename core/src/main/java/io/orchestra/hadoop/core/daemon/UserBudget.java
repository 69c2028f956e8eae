package io.orchestra.hadoop.core.daemon;

import com.google.common.util.concurrent.AtomicLongMap;

/**
 * Bytes that users share, of which nobody may take more than a part: so nobody keeps the others
 * from having any. Safe for concurrent use.
 */
public final class UserBudget {
  private final long capacity;
  private final long perUser;

  /** Guarded by this. */
  private final AtomicLongMap<String> taken = AtomicLongMap.create();

  /**
   * @param capacity bytes of all users together
   * @param perUser bytes of one
   */
  public UserBudget(long capacity, long perUser) {
    this.capacity = capacity;
    this.perUser = perUser;
  }

  /**
   * @param bytes more than before; negative ones are always taken
   * @return false if there is not so much left: nothing was taken
   */
  public synchronized boolean take(String user, long bytes) {
    if (bytes > 0 && (bytes > capacity - taken.sum() || bytes > perUser - taken.get(user))) {
      return false;
    }
    giveBack(user, -bytes);
    return true;
  }

  public synchronized void giveBack(String user, long bytes) {
    taken.addAndGet(user, -bytes);
    taken.removeIfZero(user);
  }

  /** Bytes. */
  public synchronized long taken() {
    return taken.sum();
  }
}
