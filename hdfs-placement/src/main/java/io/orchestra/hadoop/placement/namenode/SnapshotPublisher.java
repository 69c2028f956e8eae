package io.orchestra.hadoop.placement.namenode;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.orchestra.hadoop.core.meter.LinkLoads;
import io.orchestra.hadoop.core.topology.NetworkTree;
import io.orchestra.hadoop.placement.PlacementConfig;
import io.orchestra.hadoop.placement.algorithm.Algorithm;
import io.orchestra.hadoop.placement.algorithm.HostLoad;
import io.orchestra.hadoop.placement.algorithm.LinkSnapshot;
import java.io.Closeable;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes a new snapshot of the links each time it runs. Run by one thread; closed by any.
 *
 * <p>The list of DataNodes and the topology are read here, once an interval, and not by the policy:
 * reading them takes locks of the NameNode.
 */
final class SnapshotPublisher implements Runnable, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotPublisher.class);

  /**
   * A client needs a few round trips before a block flows. A report that is not older than that
   * need not show it yet.
   */
  private static final Duration SETUP = Duration.ofMillis(200);

  /**
   * If more than one of so many DataNodes took no data, it is their clients that write none, and
   * all are preferred as if they did.
   */
  private static final int TRUSTED_FOR_EACH_DISTRUSTED = 5;

  private final Supplier<List<DatanodeDescriptor>> datanodes;
  private final Function<DatanodeDescriptor, String> rackOf;
  private final ReportIntake intake;
  private final Supplier<PlacementConfig> settings;
  private final PlacementState state;
  private final LongSupplier nanoClock;
  private final Random random;
  private boolean enough;
  private boolean doubted;
  private boolean closed;

  /**
   * @param datanodes the live ones
   * @param rackOf the network location of a DataNode's rack, which may be above its own
   * @param settings asked at every run
   */
  SnapshotPublisher(
      Supplier<List<DatanodeDescriptor>> datanodes,
      Function<DatanodeDescriptor, String> rackOf,
      ReportIntake intake,
      Supplier<PlacementConfig> settings,
      PlacementState state,
      LongSupplier nanoClock,
      Random random) {
    this.datanodes = datanodes;
    this.rackOf = rackOf;
    this.intake = intake;
    this.settings = settings;
    this.state = state;
    this.nanoClock = nanoClock;
    this.random = random;
  }

  /** If it fails the last snapshot ages, and is used no more: HDFS places until there is one. */
  @Override
  public void run() {
    ImmutableList<DatanodeDescriptor> live =
        datanodes.get().stream()
            // Free text at registration: a node without one cannot be spoken for.
            .filter(node -> node.getDatanodeUuid() != null && !node.getDatanodeUuid().isEmpty())
            .collect(ImmutableList.toImmutableList());
    ImmutableMap<String, String> addresses =
        live.stream()
            .collect(
                ImmutableMap.toImmutableMap(
                    DatanodeDescriptor::getDatanodeUuid, DatanodeDescriptor::getIpAddr));
    intake.members(addresses);
    state.retain(addresses.keySet());
    long now = nanoClock.getAsLong();
    live.forEach(node -> observe(node, now));
    PlacementConfig config = settings.get();
    publish(config.enabled() ? Optional.of(snapshot(live, config, now)) : Optional.empty());
  }

  private synchronized void publish(Optional<PublishedSnapshot> next) {
    if (closed) {
      return;
    }
    next.ifPresentOrElse(
        snapshot -> state.publish(snapshot, setup(snapshot.config())), state::withdraw);
    tellChange(next);
  }

  /** The paper forgets what was placed with the next measurement (section 6.2). */
  private static Duration setup(PlacementConfig config) {
    return config.algorithm() == Algorithm.PAPER ? Duration.ZERO : SETUP;
  }

  /** After this nothing is published any more, and the policy is stock. */
  @Override
  public synchronized void close() {
    closed = true;
    state.withdraw();
  }

  private void observe(DatanodeDescriptor node, long now) {
    String uuid = node.getDatanodeUuid();
    OptionalDouble received =
        intake.load(uuid).stream().mapToDouble(LinkLoads.Load::received).findFirst();
    boolean receiving = !intake.blockSources(uuid).isEmpty();
    int unanswered = state.unanswered().observe(uuid, node.numBlocks(), received, receiving, now);
    if (unanswered > 0) {
      LOG.warn(
          "DataNode {} took no data although {} replicas were placed on it. It is not preferred for a while; can"
              + " clients reach its data port?",
          node,
          unanswered);
    }
  }

  private PublishedSnapshot snapshot(
      ImmutableList<DatanodeDescriptor> live, PlacementConfig config, long now) {
    NetworkTree.Builder tree = NetworkTree.builder();
    Map<String, Integer> hostsByAddress = new HashMap<>();
    for (int host = 0; host < live.size(); host++) {
      DatanodeDescriptor node = live.get(host);
      tree.host(
          node.getDatanodeUuid(),
          node.getNetworkLocation(),
          intake.linkCapacity(node.getDatanodeUuid()));
      config
          .rackLinkCapacity()
          .ifPresent(uplink -> tree.switchCapacity(rackOf.apply(node), uplink));
      hostsByAddress.put(node.getIpAddr(), host);
    }
    HostLoad[] loads = new HostLoad[live.size()];
    BitSet reporting = new BitSet(live.size());
    BitSet candidates = new BitSet(live.size());
    boolean judged = areJudgedRightly(live, now);
    for (int host = 0; host < loads.length; host++) {
      DatanodeDescriptor node = live.get(host);
      Optional<LinkLoads.Load> load = intake.load(node.getDatanodeUuid());
      reporting.set(host, load.isPresent());
      candidates.set(host, isCandidate(node, config) && (!judged || isTrusted(node, now)));
      loads[host] =
          load.map(known -> measured(node.getDatanodeUuid(), known, hostsByAddress))
              .orElseGet(() -> silent(node.getDatanodeUuid(), now));
    }
    return new PublishedSnapshot(
        config,
        new LinkSnapshot(tree.build(), loads, config.algorithm(), candidates::get, random),
        live,
        reporting,
        now);
  }

  /**
   * Whether the node can take data at all. One that cannot receives little, looks idle, and would
   * be met first by every search.
   */
  private static boolean isCandidate(DatanodeDescriptor node, PlacementConfig config) {
    return node.isInService() && node.getRemaining() >= config.minBlockSize();
  }

  private boolean isTrusted(DatanodeDescriptor node, long now) {
    return state.unanswered().isTrusted(node.getDatanodeUuid(), now);
  }

  private boolean areJudgedRightly(ImmutableList<DatanodeDescriptor> live, long now) {
    long distrusted = live.stream().filter(node -> !isTrusted(node, now)).count();
    boolean doubt = distrusted > Math.max(1, live.size() / TRUSTED_FOR_EACH_DISTRUSTED);
    if (doubt && !doubted) {
      LOG.warn(
          "{} of {} DataNodes took no data that clients were to write: too many to be their fault, so none is avoided"
              + " for it. Do clients ask for blocks and write nothing?",
          distrusted,
          live.size());
    }
    doubted = doubt;
    return !doubt;
  }

  private HostLoad measured(String uuid, LinkLoads.Load load, Map<String, Integer> hostsByAddress) {
    return new HostLoad(
        (long) load.received(),
        (long) load.foreign(),
        intake.blockSources(uuid).stream()
            .map(source -> hostsByAddress.getOrDefault(source, HostLoad.OUTSIDE))
            .collect(ImmutableList.toImmutableList()),
        intake.diskCapacity(uuid),
        load.arrival(),
        load.arrival() + load.interval().toNanos());
  }

  private HostLoad silent(String uuid, long now) {
    return HostLoad.silent(intake.linkCapacity(uuid), intake.diskCapacity(uuid), now);
  }

  private void tellChange(Optional<PublishedSnapshot> snapshot) {
    boolean enoughNow = snapshot.filter(PublishedSnapshot::isCovered).isPresent();
    if (enoughNow == enough) {
      return;
    }
    enough = enoughNow;
    if (snapshot.isEmpty()) {
      LOG.info("Network-aware placement was switched off: HDFS places all replicas");
      return;
    }
    LOG.info(
        "{} of {} live DataNodes report their links: {}",
        snapshot.get().reporting(),
        snapshot.get().size(),
        enough ? "placing by the network" : "too few, HDFS places all replicas");
  }
}
