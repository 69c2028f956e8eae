package io.orchestra.hadoop.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.google.common.collect.Iterables;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.Role;
import io.orchestra.hadoop.testbed.hadoop.Versions;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Stock clusters on emulated hosts, with the jars that operators install, one for each role; they
 * are there from the beginning, whichever plugins are on.
 */
public final class EmulatedHosts {
  private static final String WHERE = "hosts are emulated only for root on Linux";

  private EmulatedHosts() {}

  /** Skips the test where hosts cannot be emulated; fails it where they must be. */
  public static void assumePossible() {
    String here = System.getProperty("os.name") + " " + System.getProperty("user.name");
    if (Boolean.getBoolean("orchestra.hosts.required")) {
      assertThat(here).as(WHERE).isEqualTo("Linux root");
    }
    assumeThat(here).as(WHERE).isEqualTo("Linux root");
  }

  public static RunningCluster start(ClusterSpec spec) {
    return RunningCluster.up(
        TestbedHome.fromEnvironment(), project(), spec, Progress.onStandardError());
  }

  /**
   * Returns once no container is left, such as that of a master whose job has ended: the next job
   * finds all hosts with room.
   */
  public static void awaitNoContainers(RunningCluster running, Duration longest) {
    await()
        .atMost(longest)
        .until(
            () -> {
              List<String> containers =
                  running
                      .cluster()
                      .web()
                      .json("http://m1:8088/ws/v1/cluster/nodes")
                      .map(nodes -> nodes.findValuesAsText("numContainers"))
                      .orElse(List.of());
              return !containers.isEmpty() && containers.stream().allMatch("0"::equals);
            });
  }

  /** Starts a program of ours on a host, to talk with it line by line. */
  public static HostProgram program(
      RunningCluster running, String host, Account user, String name, Class<?> main) {
    Cluster cluster = running.cluster();
    return new HadoopClient(cluster, cluster.host(host), Optional.of(user))
        .start(name, main, 96, List.of());
  }

  /** The jar that operators install for tasks. */
  public static Path clientJar() {
    return Iterables.getOnlyElement(project().jars(Role.TASKS, List.of()));
  }

  private static Project project() {
    return new Project(
            Path.of("..").toAbsolutePath().normalize(), Versions.ofThisBuild().orchestra())
        .withJarsOfRoles();
  }
}
