package io.orchestra.hadoop.placement.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetworkTopology;

/**
 * One run of one of Hadoop's suites: the state of the links now, and the evidence that our policy
 * placed replicas in it.
 *
 * <p>The suites make their NameNodes themselves and pass nothing through, so the run is static and
 * suites must not run in parallel.
 */
public final class UpstreamRun {
  static {
    StandIns.install();
  }

  /** Replicas of the tests that are over; outcomes that never happened are left out. */
  private static final Map<LinkState, Map<Outcome, Long>> TOTALS = new EnumMap<>(LinkState.class);

  /** Of the running test's NameNodes. */
  private static final Set<PlacementState> NAMENODES =
      Collections.newSetFromMap(new IdentityHashMap<>());

  /** Of all tests' Balancers and Movers. */
  private static final Set<NetworkTopology> TOOLS =
      Collections.newSetFromMap(new IdentityHashMap<>());

  private static LinkState links = LinkState.NO_REPORTS;

  private UpstreamRun() {}

  /** Called by the constructor of a suite: NameNodes made from now on see these links. */
  public static synchronized void begin(LinkState state) {
    collect();
    links = state;
  }

  /** Called by a topology for each node that joins it. */
  static synchronized void joined(NetworkTopology topology) {
    List<DatanodeDescriptor> datanodes =
        topology.getLeaves("").stream()
            .filter(DatanodeDescriptor.class::isInstance)
            .map(DatanodeDescriptor.class::cast)
            .toList();
    if (datanodes.isEmpty()) {
      // Only a NameNode has descriptors of its DataNodes.
      TOOLS.add(topology);
      return;
    }
    PlacementState state = PlacementState.of(topology);
    links.snapshot(datanodes).ifPresent(snapshot -> state.publish(snapshot, Duration.ZERO));
    NAMENODES.add(state);
  }

  /** {@link #verify(LinkState...)} for a suite that ran with all states of the links. */
  public static void verify() {
    verify(LinkState.values());
  }

  /**
   * Called after all tests of a suite: the run is worth nothing if HDFS placed the replicas alone.
   * Fails as well if only a part of a suite is run that places none.
   *
   * @param states the suite ran with these
   */
  public static synchronized void verify(LinkState... states) {
    collect();
    System.out.println("Replicas by state of the links and outcome: " + TOTALS);
    assertThat(TOTALS).containsOnlyKeys(states);
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

  /**
   * Called after all tests of a suite that runs tools in its own process: in a tool the policy only
   * judges, and never chooses.
   */
  public static synchronized void verifyTools() {
    System.out.println("Tools that ran with our policy: " + TOOLS.size());
    assertThat(TOOLS)
        .as("topologies of tools")
        .isNotEmpty()
        .allSatisfy(topology -> assertThat(totals(PlacementState.of(topology))).isEmpty());
  }

  /** Keeps the counts of the NameNodes and lets go of the NameNodes. */
  private static void collect() {
    for (PlacementState namenode : NAMENODES) {
      totals(namenode)
          .forEach(
              (outcome, total) ->
                  TOTALS
                      .computeIfAbsent(links, state -> new EnumMap<>(Outcome.class))
                      .merge(outcome, total, Long::sum));
    }
    NAMENODES.clear();
  }

  /** Without the outcomes that never happened. */
  private static Map<Outcome, Long> totals(PlacementState state) {
    Map<Outcome, Long> totals = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      totals.put(outcome, state.total(outcome));
    }
    totals.values().removeIf(total -> total == 0);
    return totals;
  }
}
