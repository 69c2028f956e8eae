package io.orchestra.hadoop.placement.namenode;

import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/** The cluster of the paper's simulation: 3000 DataNodes in 150 racks, with unevenly full disks. */
final class LargeCluster {
  private static final int DATANODES = 3000;
  private static final int RACKS = 150;
  private static final long DISKS = 1L << 44;

  private LargeCluster() {}

  static ClusterFixture create() {
    ClusterFixture cluster = ClusterFixture.of(DATANODES, RACKS);
    for (DatanodeDescriptor node : cluster.nodes) {
      node.setCapacity(2 * DISKS);
      node.setDfsUsed((long) (DISKS * cluster.random.nextDouble()));
    }
    return cluster.started();
  }
}
