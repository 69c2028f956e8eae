package io.orchestra.hadoop.placement.namenode;

import com.google.common.collect.MapMaker;
import io.orchestra.hadoop.placement.algorithm.UnansweredPlacements;
import io.orchestra.hadoop.placement.namenode.NetworkChooser.Placed;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.net.NetworkTopology;

/**
 * What collector, policy, metrics and servlet of one NameNode share.
 *
 * <p>HDFS creates the policy by its class name alone, more than once, and again when it is
 * reconfigured; the collector is created elsewhere. The one object both are given is the cluster's
 * {@link NetworkTopology}, so the state is kept under it, for as long as it lives. Safe for
 * concurrent use.
 */
public final class PlacementState {
  // Weak keys are compared by identity: several NameNodes may share a JVM.
  private static final Map<NetworkTopology, PlacementState> STATES =
      new MapMaker().weakKeys().makeMap();

  /**
   * Twice as long as HDFS waits for a replica before it chooses again, by default
   * (dfs.namenode.reconstruction.pending.timeout-sec).
   */
  private static final Duration REPLICATION = Duration.ofMinutes(10);

  private final Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);
  private final Map<String, LongAdder> picks = new ConcurrentHashMap<>();
  private final UnansweredPlacements unanswered =
      new UnansweredPlacements(
          Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(16));
  private volatile PublishedSnapshot snapshot;

  private PlacementState() {
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome, new LongAdder());
    }
  }

  public static PlacementState of(NetworkTopology clusterMap) {
    return STATES.computeIfAbsent(clusterMap, key -> new PlacementState());
  }

  Optional<PublishedSnapshot> snapshot() {
    return Optional.ofNullable(snapshot);
  }

  /**
   * Publishes a snapshot, with what is pending on the last one and does not show yet in the
   * measurements behind this one.
   *
   * @param setup how long after its placement a copy may need to begin
   */
  synchronized void publish(PublishedSnapshot next, Duration setup) {
    // INVARIANT: nothing is taken back until the snapshot can be seen that has taken it over.
    snapshot().ifPresent(last -> next.links().carryPendingFrom(last.links(), setup));
    snapshot = next;
  }

  /** After this the policy behaves as stock. */
  void withdraw() {
    snapshot = null;
  }

  void count(Outcome outcome, int replicas) {
    outcomes.get(outcome).add(replicas);
  }

  /** Counts a replica that was placed by the network and is going to be written. */
  void placed(String datanodeUuid) {
    count(Outcome.NETWORK, 1);
    picks.computeIfAbsent(datanodeUuid, uuid -> new LongAdder()).increment();
  }

  /**
   * Nobody writes a replica that was placed: it is no load any more. Waits while a snapshot is
   * being published.
   */
  synchronized void takeBack(Placed placed) {
    placed.links().takeBack(placed.load());
    // A later snapshot may have taken it over.
    snapshot()
        .map(PublishedSnapshot::links)
        .filter(links -> links != placed.links())
        .ifPresent(links -> links.takeBack(placed.load()));
  }

  /** A client was told to write to this DataNode, which should soon receive something. */
  void expectClient(String datanodeUuid, long now) {
    unanswered.placed(datanodeUuid, now);
  }

  /** HDFS replicates to this DataNode, when it is the block's turn. */
  void expectReplica(String datanodeUuid, long now) {
    unanswered.placed(datanodeUuid, REPLICATION, now);
  }

  UnansweredPlacements unanswered() {
    return unanswered;
  }

  /** Forgets what is known about all other DataNodes. */
  void retain(Set<String> datanodeUuids) {
    picks.keySet().retainAll(datanodeUuids);
    unanswered.retain(datanodeUuids);
  }

  /** Replicas so far with this outcome. */
  public long total(Outcome outcome) {
    return outcomes.get(outcome).sum();
  }

  /** Replicas placed on this DataNode behind the least loaded links. */
  long picks(String datanodeUuid) {
    LongAdder count = picks.get(datanodeUuid);
    return count == null ? 0 : count.sum();
  }
}
