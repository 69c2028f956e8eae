package io.orchestra.hadoop.placement.namenode;

import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.net.Node;

/**
 * A NameNode's topology that stands in for the collector: whenever a DataNode joins, the run's
 * {@link LinkState} is published for all. Named in {@code dfs.net.topology.impl}.
 *
 * <p>A DataNode that leaves stays in the snapshot, as it would for an interval: the policy has to
 * find out by itself.
 */
public final class ReportedTopology extends DFSNetworkTopology {

  @Override
  public void add(Node node) {
    // Held while publishing, so that a snapshot never replaces one made of more DataNodes.
    netlock.writeLock().lock();
    try {
      super.add(node);
      UpstreamRun.joined(this);
    } finally {
      netlock.writeLock().unlock();
    }
  }
}
