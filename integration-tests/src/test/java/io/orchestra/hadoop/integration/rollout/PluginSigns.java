package io.orchestra.hadoop.integration.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.network.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

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

  /** What shows that plugins are on in a daemon, where it is there. */
  private record Sign(Daemon daemon, String name, BooleanSupplier isThere) {}

  private final Cluster cluster;

  PluginSigns(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Those that there are where all plugins are on in these daemons, and in no others. */
  Set<String> of(Set<Daemon> daemons) {
    return names(sign -> daemons.contains(sign.daemon()));
  }

  /** Those that are there now. */
  Set<String> seen() {
    return names(sign -> sign.isThere().getAsBoolean());
  }

  private Set<String> names(Predicate<Sign> chosen) {
    return signs().stream()
        .filter(chosen)
        .map(Sign::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private List<Sign> signs() {
    List<Sign> signs = new ArrayList<>();
    List<Host> masters = cluster.plan().masters();
    for (Host master : masters) {
      for (String page : NAME_NODE_PAGES) {
        String url = cluster.webAddress(master, Daemon.NAMENODE) + page;
        signs.add(new Sign(Daemon.NAMENODE, url, () -> isPage(url)));
      }
    }
    // The one that stands by sends whoever asks to the other.
    signs.add(
        new Sign(
            Daemon.RESOURCEMANAGER,
            RESOURCE_MANAGER_PAGE,
            () ->
                masters.stream()
                    .map(master -> cluster.webAddress(master, Daemon.RESOURCEMANAGER))
                    .anyMatch(address -> isPage(address + RESOURCE_MANAGER_PAGE))));
    for (Host worker : cluster.plan().workers()) {
      for (String bean : DATA_NODE_BEANS) {
        String url = bean(worker, Daemon.DATANODE, "DataNode", bean);
        signs.add(new Sign(Daemon.DATANODE, url, () -> isBean(url)));
      }
      String url = bean(worker, Daemon.NODEMANAGER, "NodeManager", NODE_MANAGER_BEAN);
      signs.add(new Sign(Daemon.NODEMANAGER, url, () -> isBean(url)));
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
