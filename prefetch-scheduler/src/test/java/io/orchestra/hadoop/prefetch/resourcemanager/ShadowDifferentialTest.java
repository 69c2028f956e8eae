package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.prefetch.algorithm.shadow.Prediction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/** The shadow against a real Fair Scheduler, on random clusters with regular heartbeats. */
final class ShadowDifferentialTest {
  private static final int CLUSTERS = 60;
  private static final long START = 6_000;
  private static final long HORIZON = 15_000;

  /** Of those all of whose masters do not run in time nothing can be foretold. */
  private static final int MOST_SKIPPED = 3;

  /** With fewer launches one that is late says nothing. */
  private static final int ENOUGH = 4;

  /**
   * What was foretold of a cluster.
   *
   * @param larger number of launches, or of those foretold
   */
  private record Agreement(String cluster, int launched, int common, int larger) {
    private static Agreement of(
        RandomCluster cluster, List<Prediction> foretold, List<Prediction> launches) {
      Set<Prediction> common = new HashSet<>(foretold);
      common.retainAll(launches);
      return new Agreement(
          cluster.toString(),
          launches.size(),
          common.size(),
          Math.max(launches.size(), foretold.size()));
    }

    private double share() {
      return (double) common / larger;
    }
  }

  @Test
  void whatTheShadowForetellsTheSchedulerDoes() {
    assertAgreement(RandomCluster::new);
  }

  /** Reduces ask at another priority. They are foretold, and not compared. */
  @Test
  void itDoesSoBesideReducesToo() {
    assertAgreement(RandomCluster::withReduces);
  }

  @Test
  void itDoesSoOfQueuesBelowOthersToo() {
    assertAgreement(RandomCluster::withNestedQueues);
  }

  private static void assertAgreement(LongFunction<RandomCluster> clusters) {
    List<Agreement> agreements = new ArrayList<>();
    for (long seed = 0; seed < CLUSTERS; seed++) {
      try (RandomCluster cluster = clusters.apply(seed)) {
        cluster.runUntil(START);
        if (cluster.allMastersRun()) {
          List<Prediction> foretold = cluster.foretold(START + HORIZON);
          cluster.launches();
          cluster.runUntil(START + HORIZON);
          agreements.add(Agreement.of(cluster, foretold, cluster.launches()));
        }
      }
    }

    assertThat(agreements).hasSizeGreaterThanOrEqualTo(CLUSTERS - MOST_SKIPPED);
    assertThat(sum(agreements, Agreement::launched))
        .as("launches within the horizon")
        .isGreaterThan(500);
    assertThat((double) sum(agreements, Agreement::common) / sum(agreements, Agreement::larger))
        .as("agreement; not equal: %s", unequal(agreements))
        .isGreaterThanOrEqualTo(0.99);
    assertThat(agreements)
        .filteredOn(agreement -> agreement.larger() >= ENOUGH)
        .hasSizeGreaterThan(CLUSTERS / 2)
        .allSatisfy(agreement -> assertThat(agreement.share()).isGreaterThanOrEqualTo(0.75));
  }

  private static int sum(List<Agreement> agreements, ToIntFunction<Agreement> number) {
    return agreements.stream().mapToInt(number).sum();
  }

  private static List<Agreement> unequal(List<Agreement> agreements) {
    return agreements.stream().filter(each -> each.common() < each.larger()).toList();
  }
}
