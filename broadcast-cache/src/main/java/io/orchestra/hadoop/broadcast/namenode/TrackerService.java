package io.orchestra.hadoop.broadcast.namenode;

import com.google.common.io.Closer;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.algorithm.RackInference;
import io.orchestra.hadoop.broadcast.rpc.SwarmTrackerServer;
import io.orchestra.hadoop.core.daemon.GuardedTask;
import io.orchestra.hadoop.core.daemon.JsonPage;
import io.orchestra.hadoop.core.daemon.LiveSettings;
import io.orchestra.hadoop.core.daemon.RepeatedTask;
import io.orchestra.hadoop.core.rpc.ProtocolServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.SuperuserCheck;
import org.apache.hadoop.ipc.Server;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything of the broadcast cache that lives in one NameNode: the port for peers, the swarms,
 * metrics and servlet. {@link #close} ends all of it.
 */
public final class TrackerService implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(TrackerService.class);

  private final Closer parts;

  private TrackerService(Closer parts) {
    this.parts = parts;
  }

  /**
   * @throws IOException if the port for peers cannot be bound; nothing is left running after any
   *     failure
   */
  public static TrackerService start(NameNode namenode, Configuration conf, BroadcastConfig config)
      throws IOException {
    Closer parts = Closer.create();
    try {
      ExecutorService lookups =
          Executors.newFixedThreadPool(
              config.trackerHandlers(),
              new ThreadFactoryBuilder()
                  .setNameFormat("orchestra-tracker-lookup-%d")
                  .setDaemon(true)
                  .build());
      parts.register(lookups::shutdownNow);
      DatanodeManager datanodes = namenode.getNamesystem().getBlockManager().getDatanodeManager();
      LiveSettings<BroadcastConfig> settings =
          parts.register(
              LiveSettings.register(
                  BroadcastConfig.CHANGEABLE,
                  conf,
                  config,
                  () -> SuperuserCheck.verify(namenode.getNamesystem())));
      LearnedRacks racks = new LearnedRacks(new RackInference(new Random()));
      Swarms swarms =
          new Swarms(
              namenode.getNamesystem().getBlockPoolId(),
              settings,
              namenode::isActiveState,
              new NameNodeLookup(namenode.getNamesystem(), lookups, config.joinTimeout()),
              (datanode, port) -> find(datanodes, datanode, port),
              racks,
              System::nanoTime,
              new Random());
      parts.register(every(Duration.ofSeconds(1), "sweeper", swarms::sweep));
      parts.register(every(Duration.ofSeconds(10), "racks", racks::infer));
      parts.register(new TrackerMetrics(swarms));
      ProtocolServer server = parts.register(listen(conf, config, swarms));
      // Of a tracker that runs. It names files.
      JsonPage.show(
          namenode.getHttpServer(),
          "broadcast",
          JsonPage.Readers.ADMINISTRATORS,
          () -> TrackerReport.of(swarms, racks));
      LOG.info("Tracking swarms on port {}", server.port());
      return new TrackerService(parts);
    } catch (Throwable e) {
      parts.close();
      throw e;
    }
  }

  private static RepeatedTask every(Duration period, String name, Runnable task) {
    return RepeatedTask.start(
        "orchestra-tracker-" + name,
        period,
        period,
        new GuardedTask("The tracker's " + name, task));
  }

  private static ProtocolServer listen(Configuration conf, BroadcastConfig config, Swarms swarms)
      throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(config.trackerBindHost(), config.trackerPort());
    try {
      return SwarmTrackerServer.start(conf, address, config.trackerHandlers(), swarms);
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on %s. Set %stracker.port to a free port, here and on all DataNodes"
              .formatted(address, BroadcastConfig.PREFIX),
          e);
    }
  }

  /** Nobody speaks for a DataNode from another host. */
  private static Optional<TrackedPeer> find(DatanodeManager datanodes, String uuid, int port) {
    DatanodeDescriptor found = datanodes.getDatanode(uuid);
    InetAddress caller = Server.getRemoteIp();
    return found == null
            || !found.isAlive()
            || caller == null
            || !caller.getHostAddress().equals(found.getIpAddr())
        ? Optional.empty()
        : Optional.of(new TrackedPeer(uuid, found.getIpAddr(), port, found.getNetworkLocation()));
  }

  @Override
  public void close() throws IOException {
    parts.close();
  }
}
