package io.orchestra.hadoop.integration.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.network.Rate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BroadcastFailoverIT {
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final List<String> EARLY = List.of("r1h2", "r1h3", "r2h2");
  private static final List<String> LATE = List.of("r2h3");

  @Test
  void amidATransferTheOtherNameNodeTakesOverAndIsToldOfTheSwarm() {
    try (SwarmCluster cluster = SwarmCluster.up("swarm-failover", true)) {
      cluster.awaitPeers("m1", SwarmCluster.WORKERS);
      cluster.awaitPeers("m2", SwarmCluster.WORKERS);
      SwarmCluster.Written file = cluster.put(SwarmCluster.LARGE_FILE_BYTES);
      // So that it is not over before the NameNodes have changed.
      cluster.slowDown(Rate.parse("6mbit"));
      cluster.localize(file, EARLY);
      cluster.awaitMiddle("m1", file);
      cluster.faults().failover(Progress.onStandardError());
      await()
          .atMost(LONGEST)
          .until(
              () ->
                  cluster.receivers("m2", file) == EARLY.size() && cluster.arrived("m2", file) > 0);
      assertThat(cluster.arrived("m2", file)).isLessThan((long) EARLY.size() * file.bytes());
      cluster.speedUp();
      cluster.localize(file, LATE);
      assertThat(cluster.awaitLocalized(file, SwarmCluster.RECEIVERS)).hasSize(4);

      await().atMost(LONGEST).until(() -> cluster.receivers("m2", file) == 4);
      // What JMX shows may be some seconds old.
      for (String host : SwarmCluster.RECEIVERS) {
        await("the swarm is completed on " + host)
            .atMost(LONGEST)
            .until(() -> cluster.metric(host, "OrchestraSwarmPeer", "SwarmsCompleted") == 1);
      }
    }
  }
}
