package io.orchestra.hadoop.placement;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.daemon.DaemonPlugin;
import io.orchestra.hadoop.placement.namenode.CollectorService;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * Collects link reports inside a NameNode. Named in {@code dfs.namenode.plugins}.
 *
 * <p>Runs in every state of a highly available NameNode, so that a new active one knows the links
 * at once.
 */
public final class LinkCollector extends DaemonPlugin<NameNode> {
  public LinkCollector() {
    super(NameNode.class, "link collector", "HDFS places all replicas");
  }

  @Override
  protected Optional<Closeable> open(NameNode namenode, Configuration conf)
      throws IOException, InvalidConfigurationException {
    PlacementConfig config = PlacementConfig.from(conf);
    return config.enabled()
        ? Optional.of(CollectorService.start(namenode, conf, config))
        : Optional.empty();
  }
}
