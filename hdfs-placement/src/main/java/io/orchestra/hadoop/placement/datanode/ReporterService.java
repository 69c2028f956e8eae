package io.orchestra.hadoop.placement.datanode;

import io.orchestra.hadoop.core.daemon.GuardedTask;
import io.orchestra.hadoop.core.daemon.RepeatedTask;
import io.orchestra.hadoop.placement.PlacementConfig;
import java.io.Closeable;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * Everything of ours that lives in one DataNode: the thread that measures, and one sender for each
 * NameNode.
 */
public final class ReporterService implements Closeable {
  private final RepeatedTask measuring;
  private final ReportSenders senders;

  private ReporterService(RepeatedTask measuring, ReportSenders senders) {
    this.measuring = measuring;
    this.senders = senders;
  }

  public static ReporterService start(
      DataNode datanode, Configuration conf, PlacementConfig config) {
    ReportSenders senders =
        new ReportSenders(conf, config.collectorPort(), config.reportInterval());
    return new ReporterService(
        RepeatedTask.start(
            "orchestra-link-meter",
            Duration.ZERO,
            config.reportInterval(),
            new GuardedTask(
                "Measuring this DataNode's link", new LinkMeasurement(datanode, config, senders))),
        senders);
  }

  @Override
  public void close() {
    measuring.close();
    senders.close();
  }
}
