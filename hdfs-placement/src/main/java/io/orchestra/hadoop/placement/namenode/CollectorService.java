package io.orchestra.hadoop.placement.namenode;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.core.meter.LinkLoads;
import io.orchestra.hadoop.core.rpc.LinkReportServer;
import io.orchestra.hadoop.placement.PlacementConfig;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything of ours that lives in one NameNode: the port for reports, the thread that publishes a
 * snapshot of the links once an interval, metrics and servlet. {@link #close} ends all of it and
 * leaves the policy as stock.
 */
public final class CollectorService implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(CollectorService.class);

  private final PlacementState state;
  private final LinkReportServer server;
  private final ScheduledExecutorService timer;
  private final PlacementMetrics metrics;

  private CollectorService(
      PlacementState state,
      LinkReportServer server,
      ScheduledExecutorService timer,
      PlacementMetrics metrics) {
    this.state = state;
    this.server = server;
    this.timer = timer;
    this.metrics = metrics;
  }

  /**
   * @throws IOException if the port for reports cannot be bound; nothing is left running then
   */
  public static CollectorService start(
      NameNode namenode, Configuration conf, PlacementConfig config) throws IOException {
    DatanodeManager datanodes = namenode.getNamesystem().getBlockManager().getDatanodeManager();
    PlacementState state = PlacementState.of(datanodes.getNetworkTopology());
    LinkLoads loads = new LinkLoads(config.smoothing(), config.reportTimeout(), System::nanoTime);
    ReportIntake intake = new ReportIntake(loads, config);
    SnapshotPublisher publisher = new SnapshotPublisher(datanodes, intake, config, state);
    LinkReportServer server =
        LinkReportServer.start(
            conf,
            new InetSocketAddress(config.collectorBindHost(), config.collectorPort()),
            config.collectorHandlers(),
            intake);
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            new ThreadFactoryBuilder()
                .setNameFormat("orchestra-link-snapshots")
                .setDaemon(true)
                .build());
    long interval = config.reportInterval().toNanos();
    ScheduledFuture<?> unused =
        timer.scheduleAtFixedRate(publisher, 0, interval, TimeUnit.NANOSECONDS);
    PlacementServlet.install(namenode.getHttpServer(), state, intake);
    LOG.info("Collecting link reports on port {}", server.port());
    return new CollectorService(state, server, timer, PlacementMetrics.register(state, intake));
  }

  @Override
  public void close() {
    server.close();
    timer.shutdownNow();
    metrics.unregister();
    state.withdraw();
  }
}
