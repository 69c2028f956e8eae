package io.orchestra.hadoop.integration.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.network.Host;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * What shows that plugins are on: pages of masters and beans of workers that stock Hadoop does not
 * have.
 */
final class PluginSigns {
  private static final int OK = 200;
  private static final List<String> NAME_NODE_PAGES =
      List.of("/orchestra/placement", "/orchestra/broadcast");
  private static final String RESOURCE_MANAGER_PAGE = "/orchestra/prefetch";
  private static final List<String> DATA_NODE_BEANS =
      List.of("OrchestraBlockCache", "OrchestraSwarmPeer", "OrchestraPrefetchDaemon");
  private static final String NODE_MANAGER_BEAN = "OrchestraShuffleServer";

  private final Cluster cluster;

  PluginSigns(Cluster cluster) {
    this.cluster = cluster;
  }

  /** All that there are where all plugins are on in all daemons. */
  Set<String> all() {
    return signs().keySet();
  }

  /** Those of them that are there now. */
  Set<String> seen() {
    Set<String> seen = new TreeSet<>();
    signs()
        .forEach(
            (sign, isThere) -> {
              if (isThere.getAsBoolean()) {
                seen.add(sign);
              }
            });
    return seen;
  }

  private Map<String, BooleanSupplier> signs() {
    Map<String, BooleanSupplier> signs = new TreeMap<>();
    List<Host> masters = cluster.plan().masters();
    for (Host master : masters) {
      for (String page : NAME_NODE_PAGES) {
        String url = cluster.webAddress(master, Daemon.NAMENODE) + page;
        signs.put(url, () -> isPage(url));
      }
    }
    // The one that stands by sends whoever asks to the other.
    signs.put(
        RESOURCE_MANAGER_PAGE,
        () ->
            masters.stream()
                .map(master -> cluster.webAddress(master, Daemon.RESOURCEMANAGER))
                .anyMatch(address -> isPage(address + RESOURCE_MANAGER_PAGE)));
    for (Host worker : cluster.plan().workers()) {
      for (String bean : DATA_NODE_BEANS) {
        String url = bean(worker, Daemon.DATANODE, "DataNode", bean);
        signs.put(url, () -> isBean(url));
      }
      String url = bean(worker, Daemon.NODEMANAGER, "NodeManager", NODE_MANAGER_BEAN);
      signs.put(url, () -> isBean(url));
    }
    return signs;
  }

  private String bean(Host host, Daemon daemon, String service, String name) {
    return "%s/jmx?qry=Hadoop:service=%s,name=%s"
        .formatted(cluster.webAddress(host, daemon), service, name);
  }

  private boolean isPage(String url) {
    int status = cluster.web().status(url);
    assertThat(status).as("answer to " + url).isPositive();
    return status == OK;
  }

  private boolean isBean(String url) {
    return cluster
        .web()
        .json(url)
        .map(answer -> !answer.path("beans").isEmpty())
        .orElseThrow(() -> new AssertionError("no answer from " + url));
  }
}
