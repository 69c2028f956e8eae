package io.orchestra.hadoop.placement.namenode;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.orchestra.hadoop.core.meter.LinkLoads;
import io.orchestra.hadoop.core.topology.NetworkTree;
import io.orchestra.hadoop.placement.PlacementConfig;
import io.orchestra.hadoop.placement.algorithm.HostLoad;
import io.orchestra.hadoop.placement.algorithm.LinkSnapshot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes a new snapshot of the links each time it runs. Run by one thread.
 *
 * <p>The list of DataNodes and the topology are read here, once an interval, and not by the policy:
 * reading them takes locks of the NameNode.
 */
final class SnapshotPublisher implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotPublisher.class);

  private final DatanodeManager datanodes;
  private final ReportIntake intake;
  private final PlacementConfig config;
  private final PlacementState state;
  private final FailureLog failures = new FailureLog(LOG);
  private boolean enough;

  SnapshotPublisher(
      DatanodeManager datanodes,
      ReportIntake intake,
      PlacementConfig config,
      PlacementState state) {
    this.datanodes = datanodes;
    this.intake = intake;
    this.config = config;
    this.state = state;
  }

  /**
   * Never throws: a timer forgets a task that did. The last snapshot then ages and is used no more.
   */
  @Override
  public void run() {
    try {
      List<DatanodeDescriptor> live = new ArrayList<>();
      datanodes.fetchDatanodes(live, null, true);
      intake.members(addresses(live));
      PublishedSnapshot next = snapshot(ImmutableList.copyOf(live));
      state.snapshot().ifPresent(last -> next.links().carryPendingFrom(last.links()));
      state.publish(next);
      tellChange(next);
    } catch (RuntimeException | LinkageError e) {
      failures.failed("No new snapshot of the links; HDFS places replicas until there is one", e);
    }
  }

  private static ImmutableMap<String, String> addresses(List<DatanodeDescriptor> live) {
    ImmutableMap.Builder<String, String> addresses = ImmutableMap.builder();
    live.forEach(node -> addresses.put(node.getDatanodeUuid(), node.getIpAddr()));
    return addresses.buildKeepingLast();
  }

  private PublishedSnapshot snapshot(ImmutableList<DatanodeDescriptor> live) {
    NetworkTree.Builder tree = NetworkTree.builder();
    HostLoad[] loads = new HostLoad[live.size()];
    BitSet reporting = new BitSet(live.size());
    for (int host = 0; host < loads.length; host++) {
      DatanodeDescriptor node = live.get(host);
      String uuid = node.getDatanodeUuid();
      long capacity = intake.linkCapacity(uuid);
      tree.host(uuid, node.getNetworkLocation(), capacity);
      config
          .rackLinkCapacity()
          .ifPresent(rack -> tree.switchCapacity(node.getNetworkLocation(), rack));
      Optional<LinkLoads.Load> load = intake.load(uuid);
      reporting.set(host, load.isPresent());
      loads[host] = load.map(known -> measured(uuid, known)).orElse(fullyLoaded(uuid, capacity));
    }
    return new PublishedSnapshot(
        new LinkSnapshot(tree.build(), loads), live, reporting, System.nanoTime());
  }

  private HostLoad measured(String uuid, LinkLoads.Load load) {
    return new HostLoad(
        (long) load.received().value(),
        intake.diskCapacity(uuid),
        load.sequence(),
        load.arrival() + load.interval().toNanos());
  }

  /** A missing measurement counts as a full link (Sinbad, section 6.2). */
  private HostLoad fullyLoaded(String uuid, long capacity) {
    return new HostLoad(capacity, intake.diskCapacity(uuid), -1, System.nanoTime());
  }

  private void tellChange(PublishedSnapshot snapshot) {
    boolean enoughNow = snapshot.coverage() >= config.minCoverage();
    if (enoughNow != enough) {
      enough = enoughNow;
      LOG.info(
          "{} of {} live DataNodes report their links: {}",
          snapshot.reporting().cardinality(),
          snapshot.datanodes().size(),
          enough ? "placing by the network" : "too few, HDFS places all replicas");
    }
  }
}
