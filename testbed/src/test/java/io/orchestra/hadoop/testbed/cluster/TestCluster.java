package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Versions;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.NetworkPlan;
import io.orchestra.hadoop.testbed.network.Rate;
import io.orchestra.hadoop.testbed.process.Command;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A real cluster under test, with a name that no other run of the tests has. */
final class TestCluster implements AutoCloseable {
  private static final String WHERE = "hosts are emulated only for root on Linux";

  private final RunningCluster running;

  private TestCluster(RunningCluster running) {
    this.running = running;
  }

  /** Skips the test where hosts cannot be emulated; fails it where they must be. */
  static void assumePossible() {
    String here = System.getProperty("os.name") + " " + System.getProperty("user.name");
    if (Boolean.getBoolean("orchestra.hosts.required")) {
      assertThat(here).as(WHERE).isEqualTo("Linux root");
    }
    assumeThat(here).as(WHERE).isEqualTo("Linux root");
  }

  static TestbedHome home() {
    return TestbedHome.fromEnvironment();
  }

  static Project project() {
    return new Project(
        Path.of("..").toAbsolutePath().normalize(), Versions.ofThisBuild().orchestra());
  }

  /** Two workers in one rack, without YARN. */
  static ClusterSpec spec(String purpose, List<Plugin> plugins, Setting... settings) {
    return ClusterSpec.of(
            "it-" + purpose + "-" + ProcessHandle.current().pid(),
            1,
            2,
            Rate.parse("100mbit"),
            Rate.parse("400mbit"))
        .withYarn(false)
        .with(plugins, List.of(settings));
  }

  static TestCluster up(ClusterSpec spec) {
    return new TestCluster(RunningCluster.up(home(), project(), spec, Progress.onStandardError()));
  }

  RunningCluster running() {
    return running;
  }

  Cluster cluster() {
    return running.cluster();
  }

  Faults faults() {
    return running.faults();
  }

  HadoopClient client(String host, Account user) {
    return new HadoopClient(cluster(), cluster().host(host), Optional.of(user));
  }

  /** Runs a stock client; fails if it fails. */
  void hadoop(String host, Account user, String... words) {
    client(host, user).hadoop(List.of(words)).output();
  }

  /** What a program prints on a host, as root; fails if it fails. */
  String output(String host, String... words) {
    return command(host, words).output();
  }

  Command command(String host, String... words) {
    return cluster().shell(cluster().host(host)).command(Optional.empty(), List.of(words));
  }

  /** What a program prints among the bridges. */
  String fabric(String... words) {
    long pid = cluster().init(NetworkPlan.FABRIC).pid();
    List<String> all = new ArrayList<>(List.of("nsenter", "--target", Long.toString(pid), "--net"));
    all.addAll(List.of(words));
    return Command.of(all).output();
  }

  /** Removes it with its logs. */
  @Override
  public void close() {
    running.succeeded();
    running.close();
  }
}
