package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.core.daemon.MetricsRegistration;
import java.io.Closeable;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** The metrics source {@code OrchestraSwarmPeer} of a DataNode, in the context {@code dfs}. */
final class BroadcastMetrics implements MetricsSource, Closeable {
  private static final String NAME = "OrchestraSwarmPeer";

  private final AtomicLong joined = new AtomicLong();
  private final AtomicLong completed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong abandoned = new AtomicLong();
  private final AtomicLong received = new AtomicLong();
  private final AtomicLong readFromHdfs = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong corrupt = new AtomicLong();
  private final AtomicLong composed = new AtomicLong();
  private final AtomicLong millisGivenWay = new AtomicLong();
  private final MetricsRegistration registration;

  BroadcastMetrics() {
    registration = MetricsRegistration.register(NAME, "Files that arrive as a swarm", this);
  }

  void joined() {
    joined.incrementAndGet();
  }

  void completed() {
    completed.incrementAndGet();
  }

  void failed() {
    failed.incrementAndGet();
  }

  void abandoned() {
    abandoned.incrementAndGet();
  }

  void received(long bytes) {
    received.addAndGet(bytes);
  }

  void readFromHdfs(long bytes) {
    readFromHdfs.addAndGet(bytes);
  }

  void sent(long bytes) {
    sent.addAndGet(bytes);
  }

  void corrupt() {
    corrupt.incrementAndGet();
  }

  void composed() {
    composed.incrementAndGet();
  }

  void gaveWay(long millis) {
    millisGivenWay.addAndGet(millis);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
    record.addCounter(Interns.info("SwarmsJoined", "Files begun as a swarm"), joined.get());
    record.addCounter(Interns.info("SwarmsCompleted", "Files that arrived whole"), completed.get());
    record.addCounter(
        Interns.info("SwarmsFailed", "Files given up, then read from HDFS"), failed.get());
    record.addCounter(
        Interns.info(
            "SwarmsAbandoned", "Files that nobody was reading any more before they were whole"),
        abandoned.get());
    record.addCounter(
        Interns.info("BytesReceived", "Bytes of correct pieces from other peers"), received.get());
    record.addCounter(
        Interns.info(
            "BytesReadFromHdfs", "Bytes of pieces read from replicas where the swarm was too slow"),
        readFromHdfs.get());
    record.addCounter(Interns.info("BytesSent", "Bytes sent to other peers"), sent.get());
    record.addCounter(
        Interns.info("PiecesCorrupt", "Pieces with a wrong checksum, dropped"), corrupt.get());
    record.addCounter(
        Interns.info("ChecksumsComposed", "Replicas whose checksums were read for peers"),
        composed.get());
    record.addCounter(
        Interns.info(
            "MillisGivenWay", "Milliseconds for which files gave way to others of their host"),
        millisGivenWay.get());
  }

  @Override
  public void close() {
    registration.close();
  }
}
