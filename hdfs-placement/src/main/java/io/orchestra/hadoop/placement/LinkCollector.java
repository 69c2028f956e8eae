package io.orchestra.hadoop.placement;

import io.orchestra.hadoop.placement.namenode.CollectorService;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * Collects link reports inside a NameNode. Named in {@code dfs.namenode.plugins}.
 *
 * <p>Runs in every state of a highly available NameNode, so that a new active one knows the links
 * at once.
 */
public final class LinkCollector extends PlacementPlugin<NameNode> {
  public LinkCollector() {
    super(NameNode.class, "link collector", "HDFS places all replicas");
  }

  @Override
  Closeable open(NameNode namenode, Configuration conf, PlacementConfig config) throws IOException {
    return CollectorService.start(namenode, conf, config);
  }
}
