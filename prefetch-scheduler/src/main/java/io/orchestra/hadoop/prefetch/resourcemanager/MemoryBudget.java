package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.util.concurrent.AtomicLongMap;

/**
 * Memory for what users' programs say. One user's take half of it at most, so that nobody keeps the
 * others' from being heard. Safe for concurrent use.
 */
final class MemoryBudget {
  private final long capacity;

  /** Guarded by this. */
  private final AtomicLongMap<String> taken = AtomicLongMap.create();

  /**
   * @param capacity bytes
   */
  MemoryBudget(long capacity) {
    this.capacity = capacity;
  }

  /**
   * @param bytes more than before; negative ones are always taken
   * @return false if there is not so much left: nothing was taken
   */
  synchronized boolean take(String user, long bytes) {
    if (bytes > 0 && (bytes > capacity - taken.sum() || bytes > capacity / 2 - taken.get(user))) {
      return false;
    }
    giveBack(user, -bytes);
    return true;
  }

  synchronized void giveBack(String user, long bytes) {
    taken.addAndGet(user, -bytes);
    taken.removeIfZero(user);
  }
}
