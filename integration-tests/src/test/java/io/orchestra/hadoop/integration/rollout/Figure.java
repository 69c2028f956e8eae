package io.orchestra.hadoop.integration.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.Health;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.network.Host;
import java.util.List;
import java.util.Optional;

/** What daemons count that shows which plugins act, or what goes on without them. */
enum Figure {
  /** Replicas that the NameNode placed by the network. */
  PLACED_BY_NETWORK(Daemon.NAMENODE, "NameNode", "OrchestraPlacement", "ReplicasNetwork"),
  /** Replicas that our policy left to HDFS, since too few DataNodes report. */
  LEFT_TO_HDFS(Daemon.NAMENODE, "NameNode", "OrchestraPlacement", "ReplicasLowCoverage"),
  /** DataNodes whose peers the NameNode's tracker knows. */
  PEERS(Daemon.NAMENODE, "NameNode", "OrchestraSwarmTracker", "Peers"),
  /** Files that DataNodes began to bring as a swarm. */
  SWARMS_BEGUN(Daemon.DATANODE, "DataNode", "OrchestraSwarmPeer", "SwarmsJoined"),
  /** Files that came whole as a swarm. */
  SWARMS(Daemon.DATANODE, "DataNode", "OrchestraSwarmPeer", "SwarmsCompleted"),
  /** Jobs that have told the ResourceManager of their maps. */
  JOBS_HEARD(Daemon.RESOURCEMANAGER, "ResourceManager", "OrchestraPrediction", "JobsHeard"),
  /** Blocks that the ResourceManager ordered for maps. */
  BLOCKS_ORDERED(Daemon.RESOURCEMANAGER, "ResourceManager", "OrchestraPrefetch", "Started"),
  /** DataNodes that ask the ResourceManager for such orders. */
  PREFETCH_DAEMONS(Daemon.RESOURCEMANAGER, "ResourceManager", "OrchestraPrefetch", "Daemons"),
  /** Blocks that DataNodes began to bring to maps. */
  BLOCKS_BEGUN(Daemon.DATANODE, "DataNode", "OrchestraPrefetchDaemon", "Started"),
  /** Requests of reducers for the sizes of map outputs that NodeManagers answered. */
  SIZES_TOLD(Daemon.NODEMANAGER, "NodeManager", "OrchestraShuffleServer", "SizesAnswered"),
  /** Whole map outputs that NodeManagers sent to reducers, which Hadoop itself counts. */
  OUTPUTS_SENT(Daemon.NODEMANAGER, "NodeManager", "ShuffleMetrics", "ShuffleOutputsOK");

  private final Daemon daemon;
  private final String service;
  private final String source;
  private final String metric;

  Figure(Daemon daemon, String service, String source, String metric) {
    this.daemon = daemon;
    this.service = service;
    this.source = source;
    this.metric = metric;
  }

  /**
   * Of the master that is active, or of all workers together. Fails where a daemon has no such
   * metric: it is zero only where something would count it.
   */
  long read(Cluster cluster) {
    return hosts(cluster).stream().mapToLong(host -> read(cluster, host)).sum();
  }

  private List<Host> hosts(Cluster cluster) {
    Health health = new Health(cluster);
    return switch (daemon) {
      case NAMENODE -> List.of(active(health.activeNameNode()));
      case RESOURCEMANAGER -> List.of(active(health.activeResourceManager()));
      default -> cluster.plan().workers();
    };
  }

  private Host active(Optional<Host> master) {
    return master.orElseThrow(() -> new AssertionError("no active " + daemon.daemonName()));
  }

  private long read(Cluster cluster, Host host) {
    String address = cluster.webAddress(host, daemon);
    JsonNode value =
        cluster
            .web()
            .bean(address, service + ",name=" + source)
            .orElseThrow(() -> new AssertionError("no answer from " + address))
            .path(metric);
    assertThat(value.isNumber()).as("%s of %s at %s", metric, source, address).isTrue();
    return value.asLong();
  }
}
