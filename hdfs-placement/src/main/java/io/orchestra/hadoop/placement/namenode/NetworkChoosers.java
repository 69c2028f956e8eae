package io.orchestra.hadoop.placement.namenode;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.placement.PlacementConfig;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.apache.hadoop.net.NetworkTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides, when HDFS creates a policy, whether it places by the network at all. */
public final class NetworkChoosers {
  private static final Logger LOG = LoggerFactory.getLogger(NetworkChoosers.class);

  private NetworkChoosers() {}

  /**
   * Never throws: a NameNode must start with any configuration of ours.
   *
   * @param stats null in tools that create a policy without a NameNode (Balancer, Mover, fsck)
   * @return empty if the policy shall behave as stock
   */
  public static Optional<NetworkChooser> create(
      BlockPlacementPolicyDefault policy,
      Configuration conf,
      FSClusterStats stats,
      NetworkTopology clusterMap) {
    if (stats == null || clusterMap == null) {
      return Optional.empty();
    }
    try {
      PlacementConfig config = PlacementConfig.from(conf);
      if (!config.enabled()) {
        LOG.info("Network-aware placement is switched off: HDFS places all replicas");
        return Optional.empty();
      }
      LOG.info("Network-aware placement is on: {}", config);
      return Optional.of(new NetworkChooser(policy, config, PlacementState.of(clusterMap)));
    } catch (InvalidConfigurationException e) {
      LOG.error("Network-aware placement is off, HDFS places all replicas. {}", e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      LOG.error("Network-aware placement is off, HDFS places all replicas", e);
    }
    return Optional.empty();
  }
}
