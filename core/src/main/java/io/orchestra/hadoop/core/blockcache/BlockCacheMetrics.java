package io.orchestra.hadoop.core.blockcache;

import com.google.common.base.CaseFormat;
import com.google.common.base.CharMatcher;
import com.google.common.util.concurrent.AtomicLongMap;
import io.orchestra.hadoop.core.daemon.MetricsRegistration;
import java.io.Closeable;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** The metrics source {@code OrchestraBlockCache} of a DataNode, in the context {@code dfs}. */
final class BlockCacheMetrics implements MetricsSource, Closeable {
  private static final String NAME = "OrchestraBlockCache";

  private final BlockStore store;
  private final AtomicLong hits = new AtomicLong();
  private final AtomicLong misses = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final AtomicLong spoilt = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLongMap<String> declines = AtomicLongMap.create();

  private final MetricsRegistration registration;

  BlockCacheMetrics(BlockStore store) {
    this.store = store;
    registration = MetricsRegistration.register(NAME, "Cached HDFS blocks", this);
  }

  /** A reader found its block here, whole or filling. */
  void hit() {
    hits.incrementAndGet();
  }

  /** A reader's block was not here. */
  void miss() {
    misses.incrementAndGet();
  }

  /** A reader went to HDFS at once. */
  void declined(String reason) {
    declines.incrementAndGet(reason);
  }

  /** A reader went to HDFS in the middle of a block. */
  void failed() {
    failures.incrementAndGet();
  }

  /** A block's bytes have changed here. */
  void spoilt() {
    spoilt.incrementAndGet();
  }

  void served(int length) {
    bytes.addAndGet(length);
  }

  @Override
  public void close() {
    registration.close();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
    record.addCounter(
        Interns.info("Hits", "Blocks that readers opened and that were in the cache"), hits.get());
    record.addCounter(
        Interns.info(
            "Misses", "Blocks that readers opened and that were not in the cache, or only in part"),
        misses.get());
    record.addCounter(
        Interns.info("Failures", "Reads that began in the cache and ended in HDFS"),
        failures.get());
    record.addCounter(
        Interns.info("BlocksSpoilt", "Blocks dropped because their bytes had changed in the cache"),
        spoilt.get());
    record.addCounter(Interns.info("BytesServed", "Bytes given to readers"), bytes.get());
    record.addCounter(
        Interns.info("Evictions", "Blocks removed to make room for others"), store.evictions());
    record.addGauge(Interns.info("Blocks", "Blocks in the cache"), store.count());
    record.addGauge(
        Interns.info(
            "BytesUsed", "Lengths of the blocks in the cache, including what is still to come"),
        store.used());
    record.addGauge(
        Interns.info("BytesCapacity", "Bytes that the cache may hold"), store.capacity());
    declines
        .asMap()
        .forEach(
            (reason, count) ->
                record.addCounter(
                    Interns.info("Declined" + camelCase(reason), "Reads left to HDFS: " + reason),
                    count));
  }

  private static String camelCase(String reason) {
    return CaseFormat.LOWER_HYPHEN.to(
        CaseFormat.UPPER_CAMEL,
        CharMatcher.javaLetterOrDigit().negate().trimAndCollapseFrom(reason, '-'));
  }
}
