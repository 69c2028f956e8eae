package io.orchestra.hadoop.core.blockcache;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Keys that were added a short while ago. Every JVM that reads from HDFS has some, and lives for
 * seconds: the classes of a library's cache would take it longer to load than all else here. Safe
 * for concurrent use.
 */
final class RecentKeys<K> {
  private final int most;
  private final long kept;
  private final LongSupplier clock;

  /** When each was added, the oldest first. */
  private final Map<K, Long> added = new LinkedHashMap<>();

  /**
   * @param most keys; the oldest go before their time
   */
  RecentKeys(int most, Duration kept) {
    this(most, kept, System::nanoTime);
  }

  /**
   * @param clock nanoseconds
   */
  RecentKeys(int most, Duration kept, LongSupplier clock) {
    this.most = most;
    this.kept = kept.toNanos();
    this.clock = clock;
  }

  /**
   * @return false if it is there already; it is not kept for longer then
   */
  synchronized boolean add(K key) {
    long now = clock.getAsLong();
    prune(now);
    return added.putIfAbsent(key, now) == null;
  }

  synchronized boolean contains(K key) {
    Long since = added.get(key);
    return since != null && clock.getAsLong() - since < kept;
  }

  private void prune(long now) {
    Iterator<Long> times = added.values().iterator();
    while (times.hasNext() && (now - times.next() >= kept || added.size() >= most)) {
      times.remove();
    }
  }
}
