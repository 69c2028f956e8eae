package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.host.HostProcesses;
import io.orchestra.hadoop.testbed.process.ProcessTable;

/** Removes clusters, whatever state they are in. */
public final class ClusterTeardown {
  private final TestbedHome home;

  public ClusterTeardown(TestbedHome home) {
    this.home = home;
  }

  /** Stops every process of a cluster and deletes its directory; returns whether there was one. */
  public boolean down(String name) {
    ClusterDirectory directory = home.cluster(name);
    if (!home.clusterNames().contains(name)) {
      return false;
    }
    home.prepareDirectories();
    try (ClusterLock ignored = ClusterLock.take(home, name)) {
      remove(directory);
      return true;
    }
  }

  void remove(ClusterDirectory directory) {
    new HostProcesses(directory.root(), ProcessTable.ofThisMachine()).killAll();
    FileTree.delete(directory.root());
  }
}
