package io.orchestra.hadoop.testbed.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.network.Host;
import java.util.Optional;

/** What the daemons of a cluster say about themselves. */
public final class Health {
  private final Cluster cluster;
  private final WebClient web;

  public Health(Cluster cluster) {
    this.cluster = cluster;
    this.web = cluster.web();
  }

  /** The state of the NameNode on a master: active, standby, or nothing if it does not answer. */
  public Optional<String> nameNode(Host master) {
    return bean(master, "NameNode,name=NameNodeStatus").map(bean -> bean.path("State").asText());
  }

  /** The state of the ResourceManager on a master: ACTIVE, STANDBY, or nothing. */
  public Optional<String> resourceManager(Host master) {
    return web.json("http://" + master.name() + ":8088/ws/v1/cluster/info")
        .map(info -> info.path("clusterInfo").path("haState").asText());
  }

  /** How many DataNodes the active NameNode hears from. */
  public int liveDataNodes() {
    return activeNameNode()
        .flatMap(master -> bean(master, "NameNode,name=FSNamesystemState"))
        .map(bean -> bean.path("NumLiveDataNodes").asInt())
        .orElse(0);
  }

  /** How many NodeManagers the active ResourceManager counts on. */
  public int activeNodeManagers() {
    for (Host master : cluster.plan().masters()) {
      Optional<JsonNode> metrics =
          web.json("http://" + master.name() + ":8088/ws/v1/cluster/metrics");
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

  public boolean historyServerAnswers() {
    return web.answers("http://m1:19888/ws/v1/history/info");
  }

  private Optional<JsonNode> bean(Host master, String name) {
    return web.json("http://" + master.name() + ":9870/jmx?qry=Hadoop:service=" + name)
        .map(answer -> answer.path("beans").path(0))
        .filter(bean -> !bean.isMissingNode());
  }
}
