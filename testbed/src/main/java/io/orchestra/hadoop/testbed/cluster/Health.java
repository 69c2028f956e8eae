package io.orchestra.hadoop.testbed.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.Streams;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.network.Host;
import java.util.Optional;

/**
 * What the daemons of a cluster say about themselves, each asked on its own host: a link that is
 * cut does not matter.
 */
public final class Health {
  private final Cluster cluster;

  public Health(Cluster cluster) {
    this.cluster = cluster;
  }

  /** The state of the NameNode on a master: active, standby, or nothing if it does not answer. */
  public Optional<String> nameNode(Host master) {
    return bean(master, Daemon.NAMENODE, "NameNode,name=NameNodeStatus")
        .map(bean -> bean.path("State").asText());
  }

  /** The state of the ResourceManager on a master: ACTIVE, STANDBY, or nothing. */
  public Optional<String> resourceManager(Host master) {
    return json(master, Daemon.RESOURCEMANAGER, "/ws/v1/cluster/info")
        .map(info -> info.path("clusterInfo").path("haState").asText());
  }

  /**
   * How many DataNodes the active NameNode hears from and knows the storage of; one that has just
   * registered is alive for the NameNode and yet gets no block.
   */
  public int liveDataNodes() {
    return activeNameNode()
        .flatMap(master -> bean(master, Daemon.NAMENODE, "NameNode,name=NameNodeInfo"))
        .flatMap(bean -> WebClient.parse(bean.path("LiveNodes").asText()))
        .map(nodes -> (int) Streams.stream(nodes).filter(Health::hasStorage).count())
        .orElse(0);
  }

  private static boolean hasStorage(JsonNode dataNode) {
    return dataNode.path("capacity").asLong() > 0;
  }

  /** How many NodeManagers the active ResourceManager counts on. */
  public int activeNodeManagers() {
    for (Host master : cluster.plan().masters()) {
      Optional<JsonNode> metrics = json(master, Daemon.RESOURCEMANAGER, "/ws/v1/cluster/metrics");
      if (metrics.isPresent()) {
        return metrics.get().path("clusterMetrics").path("activeNodes").asInt();
      }
    }
    return 0;
  }

  /** The master with the active NameNode. */
  public Optional<Host> activeNameNode() {
    return cluster.plan().masters().stream()
        .filter(master -> nameNode(master).equals(Optional.of("active")))
        .findFirst();
  }

  /** The master with the active ResourceManager. */
  public Optional<Host> activeResourceManager() {
    return cluster.plan().masters().stream()
        .filter(master -> resourceManager(master).equals(Optional.of("ACTIVE")))
        .findFirst();
  }

  /** Whether a daemon does its work. */
  public boolean serves(Host host, Daemon daemon) {
    return switch (daemon) {
      case NAMENODE -> nameNode(host).isPresent();
      case DATANODE -> isRegistered(host);
      case RESOURCEMANAGER -> resourceManager(host).isPresent();
      case NODEMANAGER -> json(host, Daemon.NODEMANAGER, "/ws/v1/node/info").isPresent();
      case HISTORYSERVER -> json(host, Daemon.HISTORYSERVER, "/ws/v1/history/info").isPresent();
    };
  }

  /**
   * Whether the active NameNode has left safe mode and answers clients, which it does a moment
   * after it first calls itself active.
   */
  public boolean outOfSafeMode() {
    return activeNameNode()
        .filter(
            master -> json(master, Daemon.NAMENODE, "/webhdfs/v1/?op=GETFILESTATUS").isPresent())
        .flatMap(master -> bean(master, Daemon.NAMENODE, "NameNode,name=FSNamesystemState"))
        .filter(bean -> bean.path("FSState").asText().equals("Operational"))
        .isPresent();
  }

  /** A DataNode names its NameNodes with the state of each connection. */
  private boolean isRegistered(Host worker) {
    return bean(worker, Daemon.DATANODE, "DataNode,name=DataNodeInfo")
        .flatMap(bean -> WebClient.parse(bean.path("BPServiceActorInfo").asText()))
        .map(nameNodes -> nameNodes.findValuesAsText("ActorState").contains("RUNNING"))
        .orElse(false);
  }

  private Optional<JsonNode> bean(Host host, Daemon daemon, String name) {
    return cluster
        .web(host)
        .bean(cluster.webAddress(host, daemon), name)
        .filter(bean -> !bean.isMissingNode());
  }

  private Optional<JsonNode> json(Host host, Daemon daemon, String path) {
    return cluster.web(host).json(cluster.webAddress(host, daemon) + path);
  }
}
