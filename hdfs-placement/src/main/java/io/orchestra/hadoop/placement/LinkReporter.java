package io.orchestra.hadoop.placement;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.daemon.DaemonPlugin;
import io.orchestra.hadoop.placement.datanode.ReporterService;
import java.io.Closeable;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * Measures a DataNode's link and reports it to all its NameNodes. Named in {@code
 * dfs.datanode.plugins}.
 */
public final class LinkReporter extends DaemonPlugin<DataNode> {
  public LinkReporter() {
    super(DataNode.class, "link reporter", "this DataNode counts as fully loaded");
  }

  @Override
  protected Optional<Closeable> open(DataNode datanode, Configuration conf)
      throws InvalidConfigurationException {
    PlacementConfig config = PlacementConfig.from(conf);
    return config.enabled()
        ? Optional.of(ReporterService.start(datanode, conf, config))
        : Optional.empty();
  }
}
