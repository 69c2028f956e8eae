package io.orchestra.hadoop.integration.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.network.Rate;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Racks that nobody tells the tracker of: what swarms see of slow links between them is enough. */
@Tag("long")
final class InferredRacksIT {
  private static final String NAMENODE = "m1";

  /** Of a rack's hosts together; each of them has five times as much to the others beside it. */
  private static final Rate UPLINK = Rate.parse("10mbit");

  private static final Duration LONGEST = Duration.ofMinutes(4);

  @Test
  void racksAreInferredFromSwarms() {
    try (SwarmCluster cluster = SwarmCluster.up("racks", false)) {
      cluster.awaitPeers(NAMENODE, SwarmCluster.WORKERS);
      cluster.hosts().plan().rackNames().forEach(rack -> cluster.faults().rate(rack, UPLINK));
      cluster.tell("dfsadmin -refresh m1:8020 orchestra-broadcast topology=inferred", "status 0");

      await()
          .atMost(LONGEST)
          .untilAsserted(
              () -> {
                localize(cluster);
                assertThat(inferredRacks(cluster)).isEqualTo(configuredRacks(cluster));
              });
      localize(cluster);
    }
  }

  private static void localize(SwarmCluster cluster) {
    SwarmCluster.Written file = cluster.put();
    cluster.localize(file);
    cluster.awaitLocalized(file);
  }

  private static Set<Set<String>> inferredRacks(SwarmCluster cluster) {
    JsonNode numbers = cluster.report(NAMENODE).orElseThrow().path("inferredRacks");
    return racks(cluster, peer -> numbers.path(peer.path("datanode").asText()).asText());
  }

  private static Set<Set<String>> configuredRacks(SwarmCluster cluster) {
    return racks(cluster, peer -> peer.path("rack").asText());
  }

  /** DataNodes that share a rack. */
  private static Set<Set<String>> racks(SwarmCluster cluster, Function<JsonNode, String> rack) {
    Map<String, Set<String>> racks = new TreeMap<>();
    for (JsonNode peer : cluster.report(NAMENODE).orElseThrow().path("peers")) {
      racks
          .computeIfAbsent(rack.apply(peer), unusedRack -> new HashSet<>())
          .add(peer.path("datanode").asText());
    }
    return Set.copyOf(racks.values());
  }
}
