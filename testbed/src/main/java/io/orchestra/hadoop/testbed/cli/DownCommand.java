package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.cluster.ClusterTeardown;
import io.orchestra.hadoop.testbed.cluster.Prerequisites;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code orchestra cluster down}. */
@Command(
    name = "down",
    description = "Stops a cluster, whatever state it is in, and deletes all that it has stored.",
    mixinStandardHelpOptions = true)
final class DownCommand implements Callable<Integer> {
  @Mixin private ClusterName cluster;

  @Option(names = "--all", description = "Stop all clusters.")
  private boolean all;

  @Override
  public Integer call() {
    Prerequisites.requireRoot();
    TestbedHome home = cluster.home();
    ClusterTeardown teardown = new ClusterTeardown(home);
    Collection<String> names = all ? home.clusterNames() : List.of(cluster.name());
    List<String> problems = new ArrayList<>();
    for (String name : names) {
      try {
        boolean existed = teardown.down(name);
        System.out.println(
            existed ? "cluster " + name + " is down" : "there is no cluster " + name);
      } catch (TestbedException e) {
        problems.add(e.getMessage());
      }
    }
    if (!problems.isEmpty()) {
      throw new TestbedException(String.join("\n", problems));
    }
    return ExitStatus.SUCCESS;
  }
}
