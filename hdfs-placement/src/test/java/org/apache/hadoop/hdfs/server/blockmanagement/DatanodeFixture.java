package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.Time;

/** DataNodes and a policy as a NameNode would hold them, without a NameNode. */
public final class DatanodeFixture {
  private static final long PLENTY = 1L << 44;

  private DatanodeFixture() {}

  public static DatanodeDescriptor datanode(int number, String location, Set<StorageType> types) {
    DatanodeDescriptor node =
        new DatanodeDescriptor(
            new DatanodeID(
                "10.0." + number / 250 + "." + (number % 250 + 1),
                "h" + number,
                "uuid-" + number,
                9866,
                9864,
                9865,
                9867),
            location);
    for (StorageType type : types) {
      node.updateStorage(
          new DatanodeStorage(
              "storage-" + number + "-" + type, DatanodeStorage.State.NORMAL, type));
    }
    setRemaining(node, PLENTY);
    node.setLastUpdateMonotonic(Time.monotonicNow());
    return node;
  }

  public static DatanodeDescriptor datanode(int number, String location) {
    return datanode(number, location, EnumSet.of(StorageType.DISK));
  }

  public static void setRemaining(DatanodeDescriptor node, long bytes) {
    node.setRemaining(bytes);
    for (DatanodeStorageInfo storage : node.getStorageInfos()) {
      storage.setUtilizationForTesting(PLENTY, 0, bytes, 0);
    }
  }

  /** It has much left, but on no storage as much as this. */
  public static void setRemainingOnEach(DatanodeDescriptor node, long bytes) {
    setRemaining(node, bytes);
    node.setRemaining(PLENTY);
  }

  public static boolean hasSpace(DatanodeDescriptor node, long bytes) {
    return Arrays.stream(node.getStorageInfos())
        .anyMatch(storage -> storage.getRemaining() >= bytes);
  }

  public static void initialize(
      BlockPlacementPolicy policy, Configuration conf, NetworkTopology clusterMap) {
    policy.initialize(conf, new QuietCluster(), clusterMap, null);
  }

  /** As the Balancer and fsck create a policy. */
  public static void initializeAsTool(
      BlockPlacementPolicy policy, Configuration conf, NetworkTopology clusterMap) {
    policy.initialize(conf, null, clusterMap, null);
  }

  /** As the NameNode chooses for a client's new block. */
  public static List<DatanodeDescriptor> chooseForNewBlock(
      BlockPlacementPolicy policy,
      int replicas,
      Set<? extends Node> excluded,
      long blockSize,
      BlockStoragePolicy storagePolicy) {
    return Arrays.stream(
            policy.chooseTarget(
                "/file",
                replicas,
                null,
                new HashSet<>(excluded),
                blockSize,
                null,
                storagePolicy,
                EnumSet.noneOf(AddBlockFlag.class)))
        .map(DatanodeStorageInfo::getDatanodeDescriptor)
        .toList();
  }

  /** As the NameNode chooses for a client's new block, some of whose replicas have a place. */
  public static List<DatanodeDescriptor> chooseBesideFavoredNodes(
      BlockPlacementPolicy policy,
      int replicas,
      Node writer,
      List<DatanodeDescriptor> favored,
      long blockSize,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    return Arrays.stream(
            policy.chooseTarget(
                "/file",
                replicas,
                writer,
                new HashSet<>(),
                blockSize,
                favored,
                storagePolicy,
                flags))
        .map(DatanodeStorageInfo::getDatanodeDescriptor)
        .toList();
  }

  /** As the NameNode chooses the DataNode that a client of WebHDFS outside is to write through. */
  public static List<DatanodeDescriptor> chooseForWebHdfs(
      BlockPlacementPolicy policy,
      Set<? extends Node> excluded,
      long blockSize,
      BlockStoragePolicy storagePolicy) {
    return Arrays.stream(
            policy.chooseTarget(
                "/file",
                1,
                null,
                List.of(),
                false,
                new HashSet<>(excluded),
                blockSize,
                storagePolicy,
                null))
        .map(DatanodeStorageInfo::getDatanodeDescriptor)
        .toList();
  }

  private record QuietCluster() implements FSClusterStats {
    @Override
    public int getTotalLoad() {
      return 0;
    }

    @Override
    public boolean isAvoidingStaleDataNodesForWrite() {
      return false;
    }

    @Override
    public int getNumDatanodesInService() {
      return 0;
    }

    @Override
    public double getInServiceXceiverAverage() {
      return 0;
    }

    @Override
    public double getInServiceXceiverAverageForVolume() {
      return 0;
    }

    @Override
    public Map<StorageType, StorageTypeStats> getStorageTypeStats() {
      return Map.of();
    }
  }
}
