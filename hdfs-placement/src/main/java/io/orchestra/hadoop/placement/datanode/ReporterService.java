package io.orchestra.hadoop.placement.datanode;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.placement.PlacementConfig;
import java.io.Closeable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * Everything of ours that lives in one DataNode: the thread that measures, and one sender for each
 * NameNode.
 */
public final class ReporterService implements Closeable {
  private final ScheduledExecutorService timer;
  private final ReportSenders senders;

  private ReporterService(ScheduledExecutorService timer, ReportSenders senders) {
    this.timer = timer;
    this.senders = senders;
  }

  public static ReporterService start(
      DataNode datanode, Configuration conf, PlacementConfig config) {
    ReportSenders senders =
        new ReportSenders(conf, config.collectorPort(), config.reportInterval());
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            new ThreadFactoryBuilder()
                .setNameFormat("orchestra-link-meter")
                .setDaemon(true)
                .build());
    long interval = config.reportInterval().toNanos();
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(
            new LinkMeasurement(datanode, config, senders), 0, interval, TimeUnit.NANOSECONDS);
    return new ReporterService(timer, senders);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    senders.close();
  }
}
