package io.orchestra.hadoop.placement.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * One run of one of Hadoop's suites: the state of the links now, and the evidence that our policy
 * placed replicas in it.
 *
 * <p>The suites make their NameNodes themselves and pass nothing through, so the run is static and
 * suites must not run in parallel.
 */
public final class UpstreamRun {
  /** Replicas of the tests that are over; outcomes that never happened are left out. */
  private static final Map<LinkState, Map<Outcome, Long>> TOTALS = new EnumMap<>(LinkState.class);

  /** Of the running test's NameNodes. */
  private static final Set<PlacementState> NAMENODES =
      Collections.newSetFromMap(new IdentityHashMap<>());

  private static LinkState links = LinkState.NO_REPORTS;

  private UpstreamRun() {}

  /** Called by the constructor of a suite: NameNodes made from now on see these links. */
  public static synchronized void begin(LinkState state) {
    collect();
    links = state;
  }

  static synchronized void publish(PlacementState state, List<DatanodeDescriptor> datanodes) {
    links.snapshot(datanodes).ifPresent(state::publish);
    NAMENODES.add(state);
  }

  /**
   * Called after all tests of a suite: the run is worth nothing if HDFS placed the replicas alone.
   * Fails as well if only a part of a suite is run that places none.
   */
  public static synchronized void verify() {
    collect();
    System.out.println("Replicas by state of the links and outcome: " + TOTALS);
    assertThat(TOTALS).containsOnlyKeys(LinkState.values());
    TOTALS.forEach(
        (state, totals) -> {
          if (state.hasReports()) {
            assertThat(totals)
                .as("%s: replicas by outcome", state)
                .containsKey(Outcome.NETWORK)
                .doesNotContainKeys(Outcome.NO_SNAPSHOT, Outcome.FAILURE);
          } else {
            assertThat(totals)
                .as("%s: replicas by outcome", state)
                .containsKey(Outcome.NO_SNAPSHOT)
                .doesNotContainKeys(Outcome.NETWORK, Outcome.FAILURE);
          }
        });
  }

  /** Keeps the counts of the NameNodes and lets go of the NameNodes. */
  private static void collect() {
    for (PlacementState namenode : NAMENODES) {
      for (Outcome outcome : Outcome.values()) {
        long total = namenode.total(outcome);
        if (total > 0) {
          TOTALS
              .computeIfAbsent(links, state -> new EnumMap<>(Outcome.class))
              .merge(outcome, total, Long::sum);
        }
      }
    }
    NAMENODES.clear();
  }
}
