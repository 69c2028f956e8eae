package io.orchestra.hadoop.broadcast.namenode;

import com.google.common.collect.EvictingQueue;
import com.google.common.collect.ImmutableList;
import com.google.common.util.concurrent.AtomicLongMap;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.util.List;
import java.util.Map;

/** Receivers that were sent back to HDFS, and why. Safe for concurrent use. */
final class Declines {
  private static final int MOST_RECENT = 100;

  /**
   * One of them.
   *
   * @param time nanoseconds, of the clock of its {@link Swarms}
   * @param datanode UUID
   * @param block that somebody wanted to read
   * @param path of its file; empty if that was not looked up, or is not known
   */
  record Decline(long time, String datanode, BlockKey block, String path, String reason) {}

  private final AtomicLongMap<String> counts = AtomicLongMap.create();

  // Guarded by itself.
  private final EvictingQueue<Decline> recent = EvictingQueue.create(MOST_RECENT);

  void add(Decline decline) {
    counts.incrementAndGet(decline.reason());
    synchronized (recent) {
      recent.add(decline);
    }
  }

  /** How often there was each reason. */
  Map<String, Long> counts() {
    return counts.asMap();
  }

  /** The last ones, the latest first. */
  List<Decline> recent() {
    synchronized (recent) {
      return ImmutableList.copyOf(recent).reverse();
    }
  }
}
