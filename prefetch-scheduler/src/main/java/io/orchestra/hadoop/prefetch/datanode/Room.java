package io.orchestra.hadoop.prefetch.datanode;

import com.google.common.util.concurrent.AtomicLongMap;

/**
 * How much of the block cache blocks take that nobody has read yet. Nobody's tasks take it all.
 * Safe for concurrent use.
 */
final class Room {
  private final long capacity;
  private final long perUser;

  /** Guarded by this. */
  private final AtomicLongMap<String> taken = AtomicLongMap.create();

  /**
   * @param capacity bytes of all blocks together
   * @param perUser bytes of those for one user
   */
  Room(long capacity, long perUser) {
    this.capacity = capacity;
    this.perUser = perUser;
  }

  /**
   * @return false if there is not so much left: nothing was taken
   */
  synchronized boolean take(String user, long bytes) {
    if (bytes > capacity - taken.sum() || bytes > perUser - taken.get(user)) {
      return false;
    }
    taken.addAndGet(user, bytes);
    return true;
  }

  synchronized void giveBack(String user, long bytes) {
    taken.addAndGet(user, -bytes);
    taken.removeIfZero(user);
  }

  /** Bytes. */
  synchronized long taken() {
    return taken.sum();
  }
}
