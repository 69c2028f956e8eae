package io.orchestra.hadoop.placement;

import io.orchestra.hadoop.placement.namenode.NetworkChooser;
import io.orchestra.hadoop.placement.namenode.NetworkChoosers;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.apache.hadoop.hdfs.server.blockmanagement.InitializedPlacementPolicy;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;

/**
 * HDFS's default placement, with remote replicas behind the least loaded links (Sinbad). Named in
 * {@code dfs.block.replicator.classname}.
 *
 * <p>Racks, storage types, space, load, excluded and favored nodes are decided by the inherited
 * policy; only where it would draw a node at random does this one choose. Switched off, without
 * reports, in tools outside the NameNode, or after a failure, it is the inherited policy.
 */
public final class NetworkAwarePlacementPolicy extends InitializedPlacementPolicy {
  private final ThreadLocal<Boolean> choosingAgain = ThreadLocal.withInitial(() -> false);
  private Optional<NetworkChooser> chooser = Optional.empty();

  @Override
  protected void initialized(Configuration conf, FSClusterStats stats, NetworkTopology clusterMap) {
    chooser = NetworkChoosers.create(this, conf, stats, clusterMap);
  }

  /**
   * Left to HDFS: links say nothing about why the client could not use a DataNode, and a second
   * well-founded choice may be as wrong as the first.
   */
  @Override
  protected DatanodeStorageInfo[] chooseAgain(Supplier<DatanodeStorageInfo[]> choice) {
    choosingAgain.set(true);
    try {
      return choice.get();
    } finally {
      choosingAgain.remove();
    }
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
    NetworkChooser.StockChoice stock =
        count ->
            super.chooseRandom(
                count,
                scope,
                excludedNodes,
                blockSize,
                maxNodesPerRack,
                results,
                avoidStaleNodes,
                storageTypes);
    if (chooser.isEmpty()) {
      return stock.choose(replicas);
    }
    if (choosingAgain.get()) {
      chooser.get().leaveToHdfs();
      return stock.choose(replicas);
    }
    return chooser
        .get()
        .choose(
            new NetworkChooser.Request(
                replicas,
                scope,
                excludedNodes,
                blockSize,
                maxNodesPerRack,
                results,
                avoidStaleNodes,
                storageTypes),
            stock);
  }
}
