package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.cli.Orchestra;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostProcesses;
import io.orchestra.hadoop.testbed.host.HostProgram;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What an experiment does with a cluster of its own. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class RunningClusterIT {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    TestCluster.assumePossible();
    cluster = TestCluster.up(TestCluster.spec("running", List.of(Plugin.PLACEMENT)));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void othersMayNeitherBreakNorStopItMeanwhile() {
    String name = cluster.cluster().name();
    assertThatThrownBy(() -> new Faults(TestCluster.home(), name).cut("r1h1"))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("another orchestra command is working on cluster '" + name);
    assertThatThrownBy(() -> new ClusterTeardown(TestCluster.home()).down(name))
        .hasMessageContaining("another orchestra command");
    assertThatThrownBy(() -> TestCluster.up(cluster.cluster().spec()))
        .hasMessageContaining("another orchestra command");
    assertThat(new Health(cluster.cluster()).liveDataNodes()).isEqualTo(2);
  }

  /** What is mounted on a single file is gone when the machine's useradd replaces that file. */
  @Test
  @Order(2)
  void hostsHaveAllOfEtcForThemselves() {
    for (String host : List.of("m1", "r1h1")) {
      assertThat(cluster.output(host, "awk", "{print $2}", "/proc/self/mounts").lines())
          .contains("/etc")
          .doesNotContain("/etc/passwd", "/etc/group");
    }
  }

  @Test
  @Order(3)
  void programOnAHostIsTalkedWithLineByLine() {
    try (HostProgram program =
        cluster.client("r1h1", Account.BOB).start("echo", List.of("bash", "-c", "id -un; cat"))) {
      assertThat(program.receive(LONGEST)).isEqualTo("bob");
      program.send("über\t{\"a\": 1}");
      assertThat(program.receive(LONGEST)).isEqualTo("über\t{\"a\": 1}");
      assertThat(ProcessTable.ofThisMachine().find(program.identity().pid()).orElseThrow().words())
          .contains("cat");
      program.close();
      assertThat(program.isAlive()).isFalse();
    }
  }

  @Test
  @Order(4)
  void programThatDoesNotEndByItselfIsKilledWithAllItStarted() {
    HostProgram program =
        cluster
            .client("r1h1", Account.ALICE)
            .start("stubborn", List.of("bash", "-c", "sleep 1000 & echo $!; sleep 1000; wait"));
    assertThat(program.receive(LONGEST)).isNotBlank();
    Waiting.until(() -> sleeping("r1h1") == 3, "both commands beside the host's own to sleep", 60);
    program.close();
    assertThat(program.isAlive()).isFalse();
    assertThat(sleeping("r1h1")).isEqualTo(1);
  }

  @Test
  @Order(5)
  void classesOfOursFindTheirLibrariesAndTheClustersConfiguration() {
    try (HostProgram version =
        cluster
            .client("r1h2", Account.ALICE)
            .start("version", Orchestra.class, 100, List.of("--version"))) {
      assertThat(version.receive(LONGEST)).startsWith("orchestra ");
    }
    assertThat(
            cluster
                .client("r1h2", Account.ALICE)
                .hadoop(List.of("hdfs", "getconf", "-confKey", "fs.defaultFS"))
                .output()
                .strip())
        .isEqualTo("hdfs://m1:8020");
  }

  @Test
  @Order(6)
  void placementPolicyIsSwitchedWhileTheNameNodeRuns() {
    assertThat(policy()).contains("orchestra");
    reconfigure(List.of());
    assertThat(policy()).doesNotContain("orchestra");
    assertThat(cluster.cluster().spec().plugins()).isEmpty();
    reconfigure(List.of(Plugin.PLACEMENT));
    assertThat(policy()).contains("orchestra");
  }

  @Test
  @Order(7)
  void restartedDaemonsHaveTheNewSettings() {
    cluster
        .running()
        .reconfigure(
            List.of(), List.of(Setting.parse("hdfs:dfs.namenode.replication.max-streams=7")));
    cluster.faults().restart("m1", Daemon.NAMENODE);
    cluster.running().awaitWorkers();
    assertThat(cluster.output("m1", "curl", "--silent", "http://m1:9870/conf"))
        .contains("<value>7</value>");
    cluster.hadoop("r1h1", Account.ALICE, "hdfs", "dfs", "-put", "/etc/hosts", "/user/alice/hosts");
  }

  @Test
  @Order(8)
  void daemonsOfOneKindKeepTheirSettings() {
    cluster
        .running()
        .reconfigure(List.of(), List.of(Setting.parse("hdfs:dfs.datanode.handler.count=7")));
    cluster.running().keepConfiguration(Daemon.DATANODE);
    cluster.running().reconfigure(List.of(), List.of());
    cluster.faults().restart("r1h1", Daemon.DATANODE);
    cluster.running().awaitWorkers();
    assertThat(
            cluster.output(
                "m1", "curl", "--silent", "http://r1h1:9864/conf?name=dfs.datanode.handler.count"))
        .contains("<value>7</value>");
  }

  @Test
  @Order(9)
  void clusterThatCannotStartLeavesItsLogsAndNothingElse() {
    ClusterSpec spec =
        TestCluster.spec(
            "broken", List.of(), Setting.parse("hdfs:dfs.namenode.http-address=m1:nonsense"));
    ClusterDirectory directory = TestCluster.home().cluster(spec.name());
    assertThatThrownBy(() -> TestCluster.up(spec))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("namenode");
    assertThat(new HostProcesses(directory.root(), ProcessTable.ofThisMachine()).running())
        .isEmpty();
    assertThat(directory.log("m1", Daemon.NAMENODE)).isNotEmptyFile();
    assertThat(new ClusterTeardown(TestCluster.home()).down(spec.name())).isTrue();
    assertThat(directory.root()).doesNotExist();
  }

  @Test
  @Order(10)
  void programsEndWithTheirHosts() {
    Host host = cluster.cluster().host("r1h1");
    HostProgram program = cluster.client(host.name(), Account.ALICE).start("cat", List.of("cat"));
    assertThat(program.isAlive()).isTrue();
    cluster.close();
    assertThat(program.isAlive()).isFalse();
    assertThatThrownBy(() -> program.receive(LONGEST))
        .hasMessageContaining("cat on r1h1 has ended");
    assertThatThrownBy(() -> cluster.cluster().shell(host).words(Optional.empty(), List.of()))
        .hasMessageContaining("host r1h1 has ended");
    program.close();
  }

  private static void reconfigure(List<Plugin> plugins) {
    cluster.running().reconfigure(plugins, List.of());
    cluster.cluster().dfsadmin("-reconfig", "namenode", "m1:8020", "start");
    Waiting.until(
        () ->
            cluster
                .cluster()
                .dfsadmin("-reconfig", "namenode", "m1:8020", "status")
                .contains("finished"),
        "the end of the reconfiguration",
        300);
  }

  private static String policy() {
    return cluster.output(
        "m1", "curl", "--silent", "http://m1:9870/conf?name=dfs.block.replicator.classname");
  }

  private static int sleeping(String host) {
    return Integer.parseInt(cluster.output(host, "pgrep", "-c", "sleep").strip());
  }
}
