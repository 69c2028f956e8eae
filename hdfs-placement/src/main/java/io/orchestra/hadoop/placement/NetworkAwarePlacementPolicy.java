package io.orchestra.hadoop.placement;

import io.orchestra.hadoop.placement.PlacementConfig.Spread;
import io.orchestra.hadoop.placement.namenode.NetworkChooser.Request;
import io.orchestra.hadoop.placement.namenode.NetworkPlacement;
import io.orchestra.hadoop.placement.namenode.NetworkPlacement.Choice;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;

/**
 * HDFS's default placement, with remote replicas behind the least loaded links (Sinbad). Named in
 * {@code dfs.block.replicator.classname}.
 *
 * <p>Racks, storage types, space, load, excluded and favored nodes are decided by the inherited
 * policy; only where it would draw a node at random does this one choose. Switched off, without
 * reports, in tools outside the NameNode, or after a failure, it is the inherited policy.
 */
public final class NetworkAwarePlacementPolicy extends BlockPlacementPolicyDefault {
  private final NetworkPlacement placement = NetworkPlacement.ofWholeBlocks(this);

  @Override
  public DatanodeStorageInfo[] chooseTarget(
      String path,
      int replicas,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean withChosen,
      Set<Node> excluded,
      long size,
      BlockStoragePolicy policy,
      EnumSet<AddBlockFlag> flags) {
    return chooseTarget(
        path, replicas, writer, chosen, withChosen, excluded, size, policy, flags, null);
  }

  @Override
  public DatanodeStorageInfo[] chooseTarget(
      String path,
      int replicas,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean withChosen,
      Set<Node> excluded,
      long size,
      BlockStoragePolicy policy,
      EnumSet<AddBlockFlag> flags,
      EnumMap<StorageType, Integer> types) {
    return placement.chooseTarget(
        new Choice(replicas, chosen, withChosen, excluded, flags, types),
        () ->
            super.chooseTarget(
                path, replicas, writer, chosen, withChosen, excluded, size, policy, flags, types));
  }

  /** With {@code orchestra.placement.spread = paper} each replica goes to a rack of its own. */
  @Override
  protected Node chooseTargetInOrder(
      int replicas,
      Node writer,
      Set<Node> excluded,
      long size,
      int perRack,
      List<DatanodeStorageInfo> results,
      boolean avoidStale,
      boolean newBlock,
      EnumMap<StorageType, Integer> types)
      throws NotEnoughReplicasException {
    InOrder stock =
        count ->
            super.chooseTargetInOrder(
                count, writer, excluded, size, perRack, results, avoidStale, newBlock, types);
    if (placement.spread(size) == Spread.HDFS) {
      return stock.choose(replicas);
    }
    int expected = results.size() + replicas;
    // HDFS places the first replica near the writer, and no other.
    Node nearest = results.isEmpty() ? stock.choose(1) : writer;
    int free = freeRacks(results);
    if (free > 0 && results.size() < expected) {
      int apart = Math.min(free, expected - results.size());
      Set<Node> tried = new HashSet<>(excluded);
      try {
        chooseRandom(apart, NodeBase.ROOT, tried, size, 1, results, avoidStale, types);
      } catch (NotEnoughReplicasException e) {
        // Some racks have no DataNode that will do: HDFS places the others.
      }
    }
    results.forEach(storage -> addToExcludedNodes(storage.getDatanodeDescriptor(), excluded));
    if (results.size() < expected) {
      stock.choose(expected - results.size());
    }
    return nearest;
  }

  /** Racks that have a DataNode and none of these replicas. */
  private int freeRacks(List<DatanodeStorageInfo> results) {
    long used =
        results.stream()
            .map(storage -> storage.getDatanodeDescriptor().getNetworkLocation())
            .distinct()
            .count();
    return clusterMap.getNumOfNonEmptyRacks() - (int) used;
  }

  /** HDFS's order of racks, with the arguments of the call. */
  @FunctionalInterface
  private interface InOrder {
    Node choose(int replicas) throws NotEnoughReplicasException;
  }

  @Override
  protected DatanodeStorageInfo chooseRandom(
      int replicas,
      String scope,
      Set<Node> excluded,
      long size,
      int perRack,
      List<DatanodeStorageInfo> results,
      boolean avoidStale,
      EnumMap<StorageType, Integer> types)
      throws NotEnoughReplicasException {
    return placement.chooseRandom(
        new Request(replicas, scope, excluded, size, perRack, results, avoidStale, types),
        count ->
            super.chooseRandom(count, scope, excluded, size, perRack, results, avoidStale, types));
  }
}
