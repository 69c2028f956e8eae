package io.orchestra.hadoop.shuffle.nodemanager;

import com.google.common.util.concurrent.AtomicLongMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** The metrics source {@value #NAME} of a NodeManager, in the context {@code mapred}. */
final class ShuffleServerMetrics implements MetricsSource {
  static final String NAME = "OrchestraShuffleServer";

  private final AtomicLong sizes = new AtomicLong();
  private final AtomicLong ranges = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong kept = new AtomicLong();
  private final AtomicLong broken = new AtomicLong();
  private final AtomicLong stock = new AtomicLong();
  private final AtomicLongMap<Refusal.Reason> refusals = AtomicLongMap.create();

  void answeredSizes() {
    sizes.incrementAndGet();
  }

  void sentRange(long length) {
    ranges.incrementAndGet();
    bytes.addAndGet(length);
  }

  /** A connection that has brought a range is asked for another. */
  void askedAgain() {
    kept.incrementAndGet();
  }

  /** The connection ended in the middle of a range. */
  void brokeRange() {
    broken.incrementAndGet();
  }

  /** A connection has not the form that we know. */
  void leftToStock() {
    stock.incrementAndGet();
  }

  void refused(Refusal.Reason reason) {
    refusals.incrementAndGet(reason);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("mapred");
    record.addCounter(
        Interns.info("SizesAnswered", "Requests for sizes of map outputs that were answered"),
        sizes.get());
    record.addCounter(
        Interns.info("RangesSent", "Ranges of map outputs that were sent whole"), ranges.get());
    record.addCounter(Interns.info("BytesSent", "Bytes of those ranges"), bytes.get());
    record.addCounter(
        Interns.info("ConnectionsUsedAgain", "Requests on a connection that had brought a range"),
        kept.get());
    record.addCounter(
        Interns.info("RangesBroken", "Ranges during which the connection ended"), broken.get());
    record.addCounter(
        Interns.info("ConnectionsLeftToStock", "Connections that Hadoop's service alone serves"),
        stock.get());
    for (Refusal.Reason reason : Refusal.Reason.values()) {
      record.addCounter(
          Interns.info("Refused" + reason.metric(), "Requests refused: " + reason),
          refusals.get(reason));
    }
  }
}
