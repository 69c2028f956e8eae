package io.orchestra.hadoop.placement.namenode;

import io.orchestra.hadoop.placement.NetworkAwareNodeGroupPolicy;
import io.orchestra.hadoop.placement.NetworkAwarePlacementPolicy;
import io.orchestra.hadoop.placement.NetworkAwareRackFaultTolerantPolicy;
import io.orchestra.hadoop.placement.NetworkAwareUpgradeDomainPolicy;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;

/** Our policies, each with the topology it needs. */
enum PolicyKind {
  DEFAULT(NetworkAwarePlacementPolicy::new),
  RACK_FAULT_TOLERANT(NetworkAwareRackFaultTolerantPolicy::new),
  UPGRADE_DOMAIN(NetworkAwareUpgradeDomainPolicy::new),
  NODE_GROUP(NetworkAwareNodeGroupPolicy::new);

  private final Supplier<BlockPlacementPolicyDefault> policy;

  PolicyKind(Supplier<BlockPlacementPolicyDefault> policy) {
    this.policy = policy;
  }

  BlockPlacementPolicyDefault policy() {
    return policy.get();
  }

  NetworkTopology topology(Configuration conf) {
    return this == NODE_GROUP
        ? new NetworkTopologyWithNodeGroup()
        : DFSNetworkTopology.getInstance(conf);
  }

  /**
   * Where the node-th DataNode of a rack is. HDFS tells node groups apart by their own names,
   * without the rack, when it judges a placement.
   */
  String location(String rack, int node) {
    return this == NODE_GROUP ? "%s/%sg%d".formatted(rack, rack.substring(1), node % 3) : rack;
  }
}
