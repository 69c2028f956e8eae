package io.orchestra.hadoop.placement;

import io.orchestra.hadoop.placement.datanode.ReporterService;
import java.io.Closeable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * Measures a DataNode's link and reports it to all its NameNodes. Named in {@code
 * dfs.datanode.plugins}.
 */
public final class LinkReporter extends PlacementPlugin<DataNode> {
  public LinkReporter() {
    super(DataNode.class, "link reporter", "this DataNode counts as fully loaded");
  }

  @Override
  Closeable open(DataNode datanode, Configuration conf, PlacementConfig config) {
    return ReporterService.start(datanode, conf, config);
  }
}
