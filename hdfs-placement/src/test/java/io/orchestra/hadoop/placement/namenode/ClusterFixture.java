package io.orchestra.hadoop.placement.namenode;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.topology.NetworkTree;
import io.orchestra.hadoop.placement.PlacementConfig;
import io.orchestra.hadoop.placement.algorithm.HostLoad;
import io.orchestra.hadoop.placement.algorithm.LinkSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeFixture;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;

/** A policy over DataNodes that exist only in memory, and the links' loads as a test wants them. */
final class ClusterFixture {
  static final long LINK = 125_000_000;
  static final long BLOCK = 128L << 20;

  final Random random = new Random(1);
  final Configuration conf = new Configuration();
  final List<DatanodeDescriptor> nodes = new ArrayList<>();
  final PolicyKind kind;
  final NetworkTopology topology;
  final BlockPlacementPolicyDefault policy;
  final PlacementState state;

  ClusterFixture(PolicyKind kind) {
    this.kind = kind;
    // Policies look at the real clock: no snapshot is too old because the machine stood still,
    // or because a benchmark takes long.
    conf.set("orchestra.placement.report.timeout", "10m");
    topology = kind.topology(conf);
    policy = kind.policy();
    state = PlacementState.of(topology);
  }

  /** Nodes are spread over the racks in turn: node n is in rack n modulo racks. */
  static ClusterFixture of(int nodes, int racks) {
    return of(PolicyKind.DEFAULT, nodes, racks);
  }

  static ClusterFixture of(PolicyKind kind, int nodes, int racks) {
    ClusterFixture cluster = new ClusterFixture(kind);
    for (int node = 0; node < nodes; node++) {
      cluster.add("/r" + node % racks, EnumSet.of(StorageType.DISK));
    }
    return cluster;
  }

  void add(String rack, Set<StorageType> types) {
    int number = nodes.size();
    DatanodeDescriptor node = DatanodeFixture.datanode(number, kind.location(rack, number), types);
    node.setUpgradeDomain("domain-" + number % 4);
    nodes.add(node);
    topology.add(node);
  }

  ClusterFixture started() {
    DatanodeFixture.initialize(policy, conf, topology);
    return this;
  }

  /**
   * Publishes a snapshot in which node n's link receives the n-th rate, and the others nothing:
   * measured now, so that nothing is pending any more.
   */
  ClusterFixture loaded(long... received) {
    return publish(nodes.size(), System.nanoTime(), received);
  }

  ClusterFixture publish(int reporting, long published, long... received) {
    NetworkTree.Builder tree = NetworkTree.builder();
    HostLoad[] loads = new HostLoad[nodes.size()];
    long measured = System.nanoTime();
    for (int node = 0; node < loads.length; node++) {
      tree.host(nodes.get(node).getDatanodeUuid(), nodes.get(node).getNetworkLocation(), LINK);
      long rate = node < received.length ? received[node] : 0;
      loads[node] =
          HostLoad.foreign(rate, Long.MAX_VALUE, measured, System.nanoTime() + 1_000_000_000);
    }
    BitSet reporters = new BitSet();
    reporters.set(0, reporting);
    state.publish(
        new PublishedSnapshot(
            config(),
            new LinkSnapshot(tree.build(), loads, config().algorithm(), host -> true, random),
            ImmutableList.copyOf(nodes),
            reporters,
            published),
        Duration.ZERO);
    return this;
  }

  private PlacementConfig config() {
    try {
      return PlacementConfig.from(conf);
    } catch (InvalidConfigurationException e) {
      throw new AssertionError(e);
    }
  }

  List<DatanodeDescriptor> choose(int replicas, Node writer) {
    return choose(replicas, writer, new HashSet<>(), BLOCK, hot());
  }

  List<DatanodeDescriptor> choose(
      int replicas, Node writer, Set<Node> excluded, long blockSize, BlockStoragePolicy storage) {
    return choose(replicas, writer, new ArrayList<>(), excluded, blockSize, storage);
  }

  /**
   * @param there the replicas the block has
   */
  List<DatanodeDescriptor> choose(
      int replicas,
      Node writer,
      List<DatanodeStorageInfo> there,
      Set<Node> excluded,
      BlockStoragePolicy storage) {
    return choose(replicas, writer, there, excluded, BLOCK, storage);
  }

  private List<DatanodeDescriptor> choose(
      int replicas,
      Node writer,
      List<DatanodeStorageInfo> there,
      Set<Node> excluded,
      long blockSize,
      BlockStoragePolicy storage) {
    // A client's new block, or, of a block that there is, more replicas.
    boolean isNew = there.isEmpty() && excluded.isEmpty();
    EnumSet<AddBlockFlag> flags = isNew ? EnumSet.noneOf(AddBlockFlag.class) : null;
    DatanodeStorageInfo[] targets =
        policy.chooseTarget(
            "/file", replicas, writer, there, false, excluded, blockSize, storage, flags);
    List<DatanodeDescriptor> chosen = new ArrayList<>();
    for (DatanodeStorageInfo target : targets) {
      chosen.add(target.getDatanodeDescriptor());
    }
    return chosen;
  }

  static BlockStoragePolicy hot() {
    return BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy();
  }
}
