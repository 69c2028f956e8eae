package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.Prerequisites;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import picocli.CommandLine.Option;

/** The option that says which cluster is meant. */
final class ClusterName {
  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "default",
      description = "Name of the cluster (default: ${DEFAULT-VALUE}).")
  private String name;

  String name() {
    return name;
  }

  TestbedHome home() {
    return TestbedHome.fromEnvironment();
  }

  /** The cluster, which has to be up. */
  Cluster cluster() {
    Prerequisites.requireRoot();
    return Cluster.find(home(), name);
  }
}
