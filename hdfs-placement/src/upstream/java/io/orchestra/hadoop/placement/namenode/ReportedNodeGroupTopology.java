package io.orchestra.hadoop.placement.namenode;

import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.apache.hadoop.net.Node;

/** {@link ReportedTopology} with node groups. */
public final class ReportedNodeGroupTopology extends NetworkTopologyWithNodeGroup {

  @Override
  public void add(Node node) {
    netlock.writeLock().lock();
    try {
      super.add(node);
      UpstreamRun.joined(this);
    } finally {
      netlock.writeLock().unlock();
    }
  }
}
