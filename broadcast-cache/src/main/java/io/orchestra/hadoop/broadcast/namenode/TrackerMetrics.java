package io.orchestra.hadoop.broadcast.namenode;

import io.orchestra.hadoop.core.daemon.MetricsRegistration;
import java.io.Closeable;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** The metrics source {@code OrchestraSwarmTracker} of a NameNode, in the context {@code dfs}. */
final class TrackerMetrics implements MetricsSource, Closeable {
  private static final String NAME = "OrchestraSwarmTracker";

  private final Swarms swarms;
  private final MetricsRegistration registration;

  TrackerMetrics(Swarms swarms) {
    this.swarms = swarms;
    registration = MetricsRegistration.register(NAME, "Swarms and their receivers", this);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
    record.addGauge(
        Interns.info(
            "Enabled", "1, or 0 while switched off and all receivers are sent back to HDFS"),
        swarms.isEnabled() ? 1 : 0);
    record.addCounter(
        Interns.info("Joins", "Answers that told a receiver which peers to ask"), swarms.joins());
    record.addCounter(
        Interns.info("Announcements", "Announcements of peers accepted"), swarms.announcements());
    record.addCounter(
        Interns.info("Declines", "Receivers sent back to HDFS"),
        swarms.declines().values().stream().mapToLong(Long::longValue).sum());
    record.addGauge(
        Interns.info("Swarms", "Files that at least one peer has as a swarm"),
        swarms.swarms().size());
    record.addGauge(Interns.info("Peers", "Peers present"), swarms.peers().size());
  }

  @Override
  public void close() {
    registration.close();
  }
}
