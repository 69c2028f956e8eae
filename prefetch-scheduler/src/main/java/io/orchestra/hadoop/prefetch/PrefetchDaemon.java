package io.orchestra.hadoop.prefetch;

import io.orchestra.hadoop.core.blockcache.BlockCacheConfig;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.daemon.DaemonPlugin;
import io.orchestra.hadoop.prefetch.datanode.DaemonService;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** Brings blocks to its host before their maps read them. Named in {@code dfs.datanode.plugins}. */
public final class PrefetchDaemon extends DaemonPlugin<DataNode> {
  public PrefetchDaemon() {
    super(DataNode.class, "prefetch daemon", "maps of this host read their input as ever");
  }

  @Override
  protected Optional<Closeable> open(DataNode datanode, Configuration conf)
      throws IOException, InvalidConfigurationException {
    PrefetchConfig config = PrefetchConfig.from(conf);
    BlockCacheConfig cache = BlockCacheConfig.from(conf);
    return config.enabled() && config.fetching().enabled() && cache.enabled()
        ? Optional.of(DaemonService.start(datanode, conf, config, cache))
        : Optional.empty();
  }
}
