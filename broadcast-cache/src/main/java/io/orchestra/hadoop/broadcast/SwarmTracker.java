package io.orchestra.hadoop.broadcast;

import io.orchestra.hadoop.broadcast.namenode.TrackerService;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.daemon.DaemonPlugin;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * Tells peers whom to ask for pieces, the paper's Transfer Controller. Named in {@code
 * dfs.namenode.plugins}.
 */
public final class SwarmTracker extends DaemonPlugin<NameNode> {
  public SwarmTracker() {
    super(NameNode.class, "swarm tracker", "all localizers read from HDFS");
  }

  @Override
  protected Optional<Closeable> open(NameNode namenode, Configuration conf)
      throws IOException, InvalidConfigurationException {
    BroadcastConfig config = BroadcastConfig.from(conf);
    return config.enabled()
        ? Optional.of(TrackerService.start(namenode, conf, config))
        : Optional.empty();
  }
}
