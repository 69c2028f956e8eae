package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;

/**
 * The default policy with two moments that classes outside this package can otherwise not see: its
 * initialization, whose signature names {@code Host2NodesMap}, and a client's repeated request,
 * which arrives at a package-private method.
 */
public abstract class InitializedPlacementPolicy extends BlockPlacementPolicyDefault {

  @Override
  public final void initialize(
      Configuration conf,
      FSClusterStats stats,
      NetworkTopology clusterMap,
      Host2NodesMap host2datanodeMap) {
    super.initialize(conf, stats, clusterMap, host2datanodeMap);
    initialized(conf, stats, clusterMap);
  }

  /**
   * Called when the default policy is ready.
   *
   * @param stats null in tools such as the Balancer and fsck
   */
  protected abstract void initialized(
      Configuration conf, FSClusterStats stats, NetworkTopology clusterMap);

  /**
   * Makes a choice for a client that could not use DataNodes it was given before: a new block with
   * excluded nodes, or a replacement in a broken pipeline.
   */
  protected abstract DatanodeStorageInfo[] chooseAgain(Supplier<DatanodeStorageInfo[]> choice);

  /** A client's new block (BlockManager.chooseTarget4NewBlock). */
  @Override
  DatanodeStorageInfo[] chooseTarget(
      String path,
      int replicas,
      Node writer,
      Set<Node> excludedNodes,
      long blockSize,
      List<DatanodeDescriptor> favoredNodes,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    Supplier<DatanodeStorageInfo[]> choice =
        () ->
            super.chooseTarget(
                path,
                replicas,
                writer,
                excludedNodes,
                blockSize,
                favoredNodes,
                storagePolicy,
                flags);
    return excludedNodes == null || excludedNodes.isEmpty() ? choice.get() : chooseAgain(choice);
  }

  /**
   * Also a pipeline's replacement (FSNamesystem.getAdditionalDatanode), which returns the chosen
   * nodes too.
   */
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
    Supplier<DatanodeStorageInfo[]> choice =
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
                storageTypes);
    return returnChosenNodes ? chooseAgain(choice) : choice.get();
  }

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
    return chooseTarget(
        path,
        replicas,
        writer,
        chosen,
        returnChosenNodes,
        excludedNodes,
        blockSize,
        storagePolicy,
        flags,
        null);
  }
}
