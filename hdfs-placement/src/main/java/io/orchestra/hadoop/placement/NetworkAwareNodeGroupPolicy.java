package io.orchestra.hadoop.placement;

import io.orchestra.hadoop.placement.namenode.NetworkChooser.Request;
import io.orchestra.hadoop.placement.namenode.NetworkPlacement;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithNodeGroup;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;

/**
 * HDFS's placement over node groups, with remote replicas behind the least loaded links (Sinbad).
 * Named in {@code dfs.block.replicator.classname}, with a topology of node groups in {@code
 * net.topology.impl}. See {@link NetworkAwarePlacementPolicy}.
 */
public final class NetworkAwareNodeGroupPolicy extends BlockPlacementPolicyWithNodeGroup {
  private final NetworkPlacement placement = NetworkPlacement.ofWholeBlocks(this);

  @Override
  public DatanodeStorageInfo[] chooseTarget(
      String path,
      int replicas,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean returnChosenNodes,
      Set<Node> excludedNodes,
      long blockSize,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    return placement.chooseTarget(
        new NetworkPlacement.Choice(replicas, chosen, returnChosenNodes, excludedNodes, flags),
        () ->
            super.chooseTarget(
                path,
                replicas,
                writer,
                chosen,
                returnChosenNodes,
                excludedNodes,
                blockSize,
                storagePolicy,
                flags));
  }

  /** HDFS asks this way for what favored nodes leave of a client's new block. */
  @Override
  public DatanodeStorageInfo[] chooseTarget(
      String path,
      int replicas,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean returnChosenNodes,
      Set<Node> excludedNodes,
      long blockSize,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags,
      EnumMap<StorageType, Integer> storageTypes) {
    return placement.chooseBesideFavoredNodes(
        () ->
            super.chooseTarget(
                path,
                replicas,
                writer,
                chosen,
                returnChosenNodes,
                excludedNodes,
                blockSize,
                storagePolicy,
                flags,
                storageTypes));
  }

  @Override
  protected DatanodeStorageInfo chooseRandom(
      int replicas,
      String scope,
      Set<Node> excludedNodes,
      long blockSize,
      int maxNodesPerRack,
      List<DatanodeStorageInfo> results,
      boolean avoidStaleNodes,
      EnumMap<StorageType, Integer> storageTypes)
      throws NotEnoughReplicasException {
    return placement.chooseRandom(
        new Request(
            replicas,
            scope,
            excludedNodes,
            blockSize,
            maxNodesPerRack,
            results,
            avoidStaleNodes,
            storageTypes),
        count ->
            super.chooseRandom(
                count,
                scope,
                excludedNodes,
                blockSize,
                maxNodesPerRack,
                results,
                avoidStaleNodes,
                storageTypes));
  }
}
