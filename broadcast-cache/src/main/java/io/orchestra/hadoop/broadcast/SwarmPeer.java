package io.orchestra.hadoop.broadcast;

import io.orchestra.hadoop.broadcast.datanode.PeerService;
import io.orchestra.hadoop.core.blockcache.BlockCacheConfig;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.daemon.DaemonPlugin;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * Fetches what its host localizes from other DataNodes, and serves them. Named in {@code
 * dfs.datanode.plugins}.
 */
public final class SwarmPeer extends DaemonPlugin<DataNode> {
  public SwarmPeer() {
    super(DataNode.class, "swarm peer", "localizers of this host read from HDFS");
  }

  @Override
  protected Optional<Closeable> open(DataNode datanode, Configuration conf)
      throws IOException, InvalidConfigurationException {
    BroadcastConfig config = BroadcastConfig.from(conf);
    BlockCacheConfig cache = BlockCacheConfig.from(conf);
    return config.enabled() && cache.enabled()
        ? Optional.of(PeerService.start(datanode, conf, config, cache))
        : Optional.empty();
  }
}
