package io.orchestra.hadoop.broadcast.datanode;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** Memory outside of the heap, which threads keep after they have read or written. */
final class DirectMemory {
  private DirectMemory() {}

  /** Bytes. */
  static long used() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
