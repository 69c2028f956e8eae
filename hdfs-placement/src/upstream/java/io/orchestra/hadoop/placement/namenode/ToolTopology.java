package io.orchestra.hadoop.placement.namenode;

import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;

/**
 * The topology a tool outside the NameNode gives its policy, watched by the run. Named in {@code
 * net.topology.impl}.
 */
public final class ToolTopology extends NetworkTopology {

  @Override
  public void add(Node node) {
    super.add(node);
    UpstreamRun.joined(this);
  }
}
