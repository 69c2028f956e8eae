package io.orchestra.hadoop.shuffle.upstream;

import io.orchestra.hadoop.shuffle.WeightedShuffleHandler;
import org.apache.hadoop.mapred.MiniMRClientCluster;
import org.apache.hadoop.mapred.MiniMRYarnClusterAdapter;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Hadoop's mini cluster, whose NodeManagers have our shuffle service. */
final class WeightedCluster {
  private static final String SERVICE = "yarn.nodemanager.aux-services.mapreduce_shuffle.class";

  private WeightedCluster() {}

  static MiniMRClientCluster start(String name, int nodeManagers) {
    MiniMRYarnCluster cluster = new MiniMRYarnCluster(name, nodeManagers);
    cluster.init(new Settings());
    cluster.start();
    return new MiniMRYarnClusterAdapter(cluster);
  }

  /** The mini cluster sets Hadoop's own service, whatever is set before. */
  private static final class Settings extends YarnConfiguration {
    @Override
    public void set(String name, String value, String source) {
      super.set(
          name, name.equals(SERVICE) ? WeightedShuffleHandler.class.getName() : value, source);
    }
  }
}
