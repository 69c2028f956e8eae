package org.apache.hadoop.hdfs.server.blockmanagement;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetworkTopology;

/**
 * The default policy with an initialization that classes outside this package can override: the
 * signature of {@code initialize} names {@code Host2NodesMap}, which they cannot see.
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
}
