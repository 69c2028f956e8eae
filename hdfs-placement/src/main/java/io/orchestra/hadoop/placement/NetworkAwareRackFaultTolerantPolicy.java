package io.orchestra.hadoop.placement;

import io.orchestra.hadoop.placement.namenode.NetworkChooser.Request;
import io.orchestra.hadoop.placement.namenode.NetworkPlacement;
import io.orchestra.hadoop.placement.namenode.NetworkPlacement.Choice;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyRackFaultTolerant;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;

/**
 * HDFS's placement over as many racks as possible, behind the least loaded links (Sinbad). Named in
 * {@code dfs.block.placement.ec.classname}, for erasure-coded files, or in {@code
 * dfs.block.replicator.classname}. See {@link NetworkAwarePlacementPolicy}.
 */
public final class NetworkAwareRackFaultTolerantPolicy
    extends BlockPlacementPolicyRackFaultTolerant {
  private final NetworkPlacement placement = NetworkPlacement.ofStripes(this);

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
