package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;

/** The steps of the default policy that decide whether one DataNode may take a replica. */
public final class PlacementSteps {
  private PlacementSteps() {}

  /** The cluster the policy was initialized with; null before. */
  public static NetworkTopology clusterMap(BlockPlacementPolicyDefault policy) {
    return policy.clusterMap;
  }

  /**
   * Whether HDFS itself would accept the node: in service, not stale, not too busy, rack not full,
   * …
   */
  public static boolean isGood(
      BlockPlacementPolicyDefault policy,
      DatanodeDescriptor node,
      int maxNodesPerRack,
      List<DatanodeStorageInfo> results,
      boolean avoidStaleNodes) {
    // A dead node is only taken out of the topology; nothing else marks it.
    return policy.clusterMap.contains(node)
        && policy.isGoodDatanode(
            node, maxNodesPerRack, policy.considerLoad, results, avoidStaleNodes);
  }

  /**
   * What the emptiest storage of each type has left, by the ordinal of the type, bytes; negative
   * where there is none in use.
   */
  public static long[] largestRemaining(DatanodeDescriptor node) {
    long[] largest = new long[StorageType.values().length];
    Arrays.fill(largest, -1);
    for (DatanodeStorageInfo storage : node.getStorageInfos()) {
      if (storage.getState() == DatanodeStorage.State.NORMAL) {
        int type = storage.getStorageType().ordinal();
        largest[type] = Math.max(largest[type], storage.getRemaining());
      }
    }
    return largest;
  }

  /**
   * Picks a storage with enough space and appends it to {@code results}.
   *
   * @return null if the node has none
   */
  public static DatanodeStorageInfo takeStorage(
      BlockPlacementPolicyDefault policy,
      DatanodeDescriptor node,
      long blockSize,
      List<DatanodeStorageInfo> results,
      StorageType type) {
    return policy.chooseStorage4Block(node, blockSize, results, type);
  }

  /** Excludes the node, and what the policy counts as its neighbours, from further choices. */
  public static void exclude(
      BlockPlacementPolicyDefault policy, DatanodeDescriptor node, Set<Node> excludedNodes) {
    excludedNodes.add(node);
    policy.addToExcludedNodes(node, excludedNodes);
  }
}
