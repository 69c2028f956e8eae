package io.orchestra.hadoop.integration.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.network.Rate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PlacementFailoverIT {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  @Test
  void amidWritesTheOtherNameNodeTakesOverAndKnowsTheLinksAtOnce() {
    try (FaultyCluster cluster = FaultyCluster.up("failover", true)) {
      for (String master : new String[] {"m1", "m2"}) {
        await().atMost(LONGEST).until(() -> cluster.reporting(master) == FaultyCluster.WORKERS);
      }
      // A file takes a third of a second, so that they are not all written before it is over.
      cluster.running().faults().rate("r1h1", Rate.parse("30mbit"));
      cluster.write(150);
      cluster.awaitWritten(10);
      cluster.running().faults().failover(Progress.onStandardError());
      cluster.running().faults().rate("r1h1", FaultyCluster.HOST_RATE);
      cluster.awaitWritten(140);
      cluster.awaitEnd();

      cluster.assertNothingLost();
      assertThat(cluster.placed("m1")).isPositive();
      assertThat(cluster.placed("m2")).isPositive();
      assertThat(
              cluster.report("m2").orElseThrow().required("picks").required("no-snapshot").asLong())
          .isZero();
    }
  }
}
