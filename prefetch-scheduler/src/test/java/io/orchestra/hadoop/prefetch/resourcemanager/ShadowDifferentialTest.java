package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.prefetch.algorithm.shadow.Prediction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The shadow against a real Fair Scheduler, on random clusters with regular heartbeats. */
final class ShadowDifferentialTest {
  private static final int CLUSTERS = 60;
  private static final long HORIZON = 15_000;

  @Test
  void whatTheShadowForetellsTheSchedulerDoes() {
    int launched = 0;
    int agreed = 0;
    int foretold = 0;
    List<String> worst = new ArrayList<>();
    for (long seed = 0; seed < CLUSTERS; seed++) {
      try (RandomCluster cluster = new RandomCluster(seed)) {
        long start = 6_000;
        cluster.runUntil(start);
        if (!cluster.allMastersRun()) {
          continue;
        }
        List<Prediction> predictions = cluster.foretold(start + HORIZON);
        cluster.launches();
        cluster.runUntil(start + HORIZON);
        List<Prediction> launches = cluster.launches();

        Set<Prediction> common = new HashSet<>(predictions);
        common.retainAll(launches);
        launched += launches.size();
        foretold += predictions.size();
        agreed += common.size();
        if (common.size() < Math.max(launches.size(), predictions.size())) {
          worst.add(
              "%d of %d/%d: %s"
                  .formatted(common.size(), predictions.size(), launches.size(), cluster));
        }
      }
    }

    assertThat(launched).as("launches within the horizon").isGreaterThan(500);
    assertThat((double) agreed / Math.max(launched, foretold))
        .as("agreement; not equal: %s", worst)
        .isGreaterThanOrEqualTo(0.99);
  }
}
