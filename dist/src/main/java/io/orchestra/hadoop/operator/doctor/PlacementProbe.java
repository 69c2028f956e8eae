package io.orchestra.hadoop.operator.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Asks each NameNode who places replicas, and its link collector which DataNodes report. */
final class PlacementProbe implements LiveProbe {
  /** Names who places the replicas of files that are not erasure-coded. */
  static final String POLICY = "dfs.block.replicator.classname";

  /** Names who places the blocks of those that are: either may be another's and the other ours. */
  static final String STRIPES_POLICY = "dfs.block.placement.ec.classname";

  /** It publishes one a second. */
  private static final Duration OLD = Duration.ofSeconds(30);

  static final Set<String> POLICIES =
      Set.of(
          "io.orchestra.hadoop.placement.NetworkAwarePlacementPolicy",
          "io.orchestra.hadoop.placement.NetworkAwareRackFaultTolerantPolicy",
          "io.orchestra.hadoop.placement.NetworkAwareUpgradeDomainPolicy",
          "io.orchestra.hadoop.placement.NetworkAwareNodeGroupPolicy");

  @Override
  public void ask(LiveCluster cluster, Findings findings) throws IOException {
    DataNodes dataNodes = new DataNodes(cluster, findings);
    for (URI nameNode : cluster.nameNodes()) {
      try {
        List<URI> unused = dataNodes.seenBy(nameNode);
        ask(cluster, nameNode, findings);
      } catch (IOException e) {
        findings.unanswered("hdfs-placement", e);
      }
    }
  }

  private static void ask(LiveCluster cluster, URI nameNode, Findings findings) throws IOException {
    Optional<JsonNode> report = cluster.json(nameNode, "/orchestra/placement");
    String policy = cluster.setting(nameNode, POLICY).orElse("");
    boolean placesReplicas = POLICIES.contains(policy);
    boolean placesWhatItShould =
        placesReplicas
            || (!POLICIES.contains(cluster.told(POLICY))
                && POLICIES.contains(cluster.setting(nameNode, STRIPES_POLICY).orElse("")));
    if (report.isEmpty()) {
      findings.problem(
          "hdfs-placement: the NameNode %s has no link collector".formatted(nameNode),
          "restart it with the current configuration; if you have, its log says why the collector is off");
    } else if (!report.get().path("enabled").asBoolean()) {
      findings.problem(
          "hdfs-placement: the NameNode %s publishes no snapshots of the links".formatted(nameNode),
          "look in its log for failures of the collector, and find out whether somebody ran dfsadmin -refresh … enabled=false");
    } else if (report.get().path("snapshotAgeMillis").asLong() > OLD.toMillis()) {
      findings.problem(
          "hdfs-placement: the NameNode %s has published no snapshot of the links for %d s"
              .formatted(
                  nameNode,
                  Duration.ofMillis(report.get().path("snapshotAgeMillis").asLong()).toSeconds()),
          "look in its log for failures of the collector");
    } else if (!placesWhatItShould) {
      findings.problem(
          "hdfs-placement: the NameNode %s runs with another policy, %s"
              .formatted(nameNode, policy),
          "restart it with the current configuration");
    } else {
      if (!placesReplicas) {
        findings.note(
            "hdfs-placement: the NameNode %s places erasure-coded files alone by the network, %s the others"
                .formatted(nameNode, policy),
            "docs/placement.md says which policies it can extend");
      }
      dataNodes(nameNode, report.get(), findings);
    }
  }

  /**
   * @param picks how many replicas HDFS has asked for, by what came of them
   */
  private static void picks(URI nameNode, JsonNode picks, Findings findings) {
    long failures = picks.path("failure").asLong();
    if (failures > 0) {
      findings.problem(
          "hdfs-placement: the policy of the NameNode %s has failed %d times, and HDFS has placed these replicas"
              .formatted(nameNode, failures),
          "its log has the stack trace after 'Network-aware placement failed': report it");
    }
    SortedMap<String, Long> others = new TreeMap<>();
    picks
        .fields()
        .forEachRemaining(
            pick -> {
              if (pick.getValue().asLong() > 0) {
                others.put(pick.getKey(), pick.getValue().asLong());
              }
            });
    if (!others.isEmpty() && !others.containsKey("network")) {
      findings.note(
          "hdfs-placement: the NameNode %s has left all replicas to HDFS: %s"
              .formatted(nameNode, others),
          "docs/placement.md says what each of these reasons means");
    }
  }

  private static void dataNodes(URI nameNode, JsonNode report, Findings findings) {
    List<String> silent = new ArrayList<>();
    int live = 0;
    for (JsonNode node : report.path("nodes")) {
      live++;
      if (!node.path("reporting").asBoolean()) {
        silent.add(node.path("host").asText());
      }
    }
    if (live == 0) {
      findings.problem(
          "hdfs-placement: the NameNode %s sees no live DataNode".formatted(nameNode),
          "start them; their logs say why they do not register");
    } else if (silent.isEmpty()) {
      findings.ok(
          "hdfs-placement: the NameNode %s hears of the links of %s; %d replicas placed by the network so far"
              .formatted(
                  nameNode,
                  Hosts.all("DataNode", live),
                  report.path("picks").path("network").asLong()));
      picks(nameNode, report.path("picks"), findings);
    } else {
      findings.problem(
          "hdfs-placement: the NameNode %s hears nothing of %s"
              .formatted(nameNode, Hosts.some("DataNode", silent, live)),
          "restart these DataNodes with the current configuration, and open the port orchestra.placement.collector.port;"
              + " the log of one that cannot measure its link says why (a loopback interface is not a link)");
    }
  }
}
