package io.orchestra.hadoop.placement.namenode;

import com.google.common.io.Closer;
import io.orchestra.hadoop.core.daemon.GuardedTask;
import io.orchestra.hadoop.core.daemon.JsonPage;
import io.orchestra.hadoop.core.daemon.LiveSettings;
import io.orchestra.hadoop.core.daemon.RepeatedTask;
import io.orchestra.hadoop.core.rpc.LinkReportServer;
import io.orchestra.hadoop.core.rpc.ProtocolServer;
import io.orchestra.hadoop.placement.PlacementConfig;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.SuperuserCheck;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything of ours that lives in one NameNode: the port for reports, the thread that publishes a
 * snapshot of the links once an interval, metrics and servlet. {@link #close} ends all of it and
 * leaves the policy as stock.
 */
public final class CollectorService implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(CollectorService.class);

  /** Threads that take reports in. A report takes microseconds, and thousands come in a second. */
  private static final int HANDLERS = 2;

  private final Closer parts;

  private CollectorService(Closer parts) {
    this.parts = parts;
  }

  /**
   * @throws IOException if the port for reports cannot be bound; nothing is left running after any
   *     failure
   */
  public static CollectorService start(
      NameNode namenode, Configuration conf, PlacementConfig config) throws IOException {
    DatanodeManager datanodes = namenode.getNamesystem().getBlockManager().getDatanodeManager();
    PlacementState state = PlacementState.of(datanodes.getNetworkTopology());
    Closer parts = Closer.create();
    try {
      LiveSettings<PlacementConfig> settings =
          parts.register(
              LiveSettings.register(
                  PlacementConfig.CHANGEABLE,
                  conf,
                  config,
                  () -> SuperuserCheck.verify(namenode.getNamesystem())));
      ReportIntake intake = new ReportIntake(settings, System::nanoTime);
      ProtocolServer server = parts.register(listen(conf, config, intake));
      SnapshotPublisher publisher =
          parts.register(
              new SnapshotPublisher(
                  () -> live(datanodes),
                  node -> rack(datanodes.getNetworkTopology(), node),
                  intake,
                  settings,
                  state,
                  System::nanoTime,
                  new Random()));
      parts.register(new PlacementMetrics(state, intake));
      JsonPage.show(
          namenode.getHttpServer(),
          "placement",
          JsonPage.Readers.INSTRUMENTATION,
          () -> PlacementReport.of(state, intake));
      parts.register(
          RepeatedTask.start(
              "orchestra-link-snapshots",
              Duration.ZERO,
              config.reportInterval(),
              new GuardedTask("Publishing a snapshot of the links", publisher)));
      LOG.info("Collecting link reports on port {}", server.port());
      return new CollectorService(parts);
    } catch (Throwable e) {
      parts.close();
      throw e;
    }
  }

  private static ProtocolServer listen(
      Configuration conf, PlacementConfig config, ReportIntake intake) throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(config.collectorBindHost(), config.collectorPort());
    try {
      return LinkReportServer.start(conf, address, HANDLERS, intake);
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on %s. Set %scollector.port to a free port, here and on all DataNodes"
              .formatted(address, PlacementConfig.PREFIX),
          e);
    }
  }

  /** In a topology of node groups a DataNode's location is its node group, one below the rack. */
  private static String rack(NetworkTopology topology, DatanodeDescriptor node) {
    return topology instanceof NetworkTopologyWithNodeGroup
        ? NetworkTopology.getFirstHalf(node.getNetworkLocation())
        : node.getNetworkLocation();
  }

  private static List<DatanodeDescriptor> live(DatanodeManager datanodes) {
    // Not with the dead: for these HDFS walks through the list of hosts that may connect.
    return datanodes.getDatanodeListForReport(DatanodeReportType.LIVE).stream()
        .filter(node -> !node.isDecommissioned())
        .toList();
  }

  @Override
  public void close() throws IOException {
    parts.close();
  }
}
