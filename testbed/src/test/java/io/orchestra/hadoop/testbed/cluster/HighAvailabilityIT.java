package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.ClientProgram;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Jvm;
import io.orchestra.hadoop.testbed.hadoop.SharedClasses;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.Rate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Two masters with all of Hadoop's daemons, and one worker. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class HighAvailabilityIT {
  private static final Progress PROGRESS = Progress.onStandardError();

  private static TestCluster cluster;
  private static Health health;

  @BeforeAll
  static void start() {
    TestCluster.assumePossible();
    cluster =
        TestCluster.up(
            ClusterSpec.of(
                    "it-ha-" + ProcessHandle.current().pid(),
                    1,
                    1,
                    Rate.parse("100mbit"),
                    Rate.parse("400mbit"))
                .withHighAvailability(true));
    health = new Health(cluster.cluster());
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void everyDaemonServesAndTheFirstMasterIsActive() {
    for (Host host : cluster.cluster().plan().hosts()) {
      assertThat(cluster.cluster().spec().daemons(host))
          .isNotEmpty()
          .allMatch(daemon -> health.serves(host, daemon), "serves");
    }
    assertActive("m1");
    assertThat(health.activeNodeManagers()).isEqualTo(1);
  }

  /** Programs that cannot use the archive of classes say nothing, and take much longer. */
  @Test
  @Order(2)
  void daemonsClientsAndTasksUseTheArchiveOfClasses() {
    HadoopHome hadoop = cluster.cluster().state().hadoop();
    ProgramClasses classes = cluster.cluster().directory().programClasses(hadoop);
    assertThat(classes.shared().usable()).isTrue();
    for (Host host : cluster.cluster().plan().hosts()) {
      for (Daemon daemon : cluster.cluster().spec().daemons(host)) {
        long pid = cluster.cluster().daemons().find(host, daemon).orElseThrow().pid();
        assertThat(FileTree.read(Path.of("/proc/" + pid + "/maps")))
            .as(daemon.daemonName())
            .contains(SharedClasses.of(hadoop).archive().toString());
      }
    }
    String sharing = String.join(" ", classes.containerOptions());
    assertThat(
            FileTree.read(cluster.cluster().directory().configuration().resolve("mapred-site.xml")))
        .containsSubsequence(sharing, sharing);
    // With -Xshare:on a virtual machine that cannot use it does not start.
    List<String> client =
        new ArrayList<>(
            cluster
                .cluster()
                .programs()
                .client(new ClientProgram("org.apache.hadoop.util.VersionInfo", List.of())));
    client.add(1, "-Xshare:on");
    assertThat(cluster.output("r1h1", client.toArray(String[]::new)))
        .contains("Hadoop " + cluster.cluster().state().hadoopVersion());
    String options = sharing + " -Xshare:on " + String.join(" ", Jvm.options(200));
    cluster.hadoop("r1h1", Account.ALICE, "hdfs", "dfs", "-put", "/etc/services", "words");
    cluster.hadoop(
        "r1h1",
        Account.ALICE,
        "jar",
        "examples",
        "wordcount",
        "-Dyarn.app.mapreduce.am.command-opts=" + options,
        "-Dmapred.child.java.opts=" + options,
        "words",
        "counts");
  }

  /** They come before the configuration. */
  @Test
  @Order(2)
  void noJarOfTheArchiveHasAFileOfTheConfiguration() throws IOException {
    List<Path> files = FileTree.list(cluster.cluster().directory().configuration());
    assertThat(files).hasSizeGreaterThan(5);
    List<String> jars =
        cluster.cluster().directory().programClasses(cluster.cluster().state().hadoop()).jars();
    assertThat(jars).isNotEmpty();
    for (String jar : jars) {
      try (ZipFile zip = new ZipFile(jar)) {
        assertThat(files)
            .as(jar)
            .noneMatch(file -> zip.getEntry(file.getFileName().toString()) != null);
      }
    }
  }

  @Test
  @Order(3)
  void masterBehindACutLinkIsReplacedByTheOther() {
    cluster.faults().cut("m1");
    assertThat(health.nameNode(cluster.cluster().host("m1"))).contains("active");
    cluster.faults().failover(PROGRESS);
    assertActive("m2");
    assertThat(cluster.cluster().daemons().find(cluster.cluster().host("m1"), Daemon.NAMENODE))
        .isEmpty();
    cluster.hadoop("r1h1", Account.ALICE, "hdfs", "dfs", "-put", "/etc/hosts", "/user/alice/one");
  }

  @Test
  @Order(4)
  void replacedMasterReturnsAsStandbyAndTakesOverAgain() {
    cluster.faults().heal("m1");
    cluster.faults().restart("m1", Daemon.NAMENODE);
    cluster.faults().restart("m1", Daemon.RESOURCEMANAGER);
    Waiting.until(HighAvailabilityIT::isReadyToTakeOver, "the NameNode to leave safe mode", 300);
    cluster.faults().failover(PROGRESS);
    assertActive("m1");
    cluster.hadoop("r1h1", Account.ALICE, "hdfs", "dfs", "-cat", "/user/alice/one");
    Waiting.until(() -> health.activeNodeManagers() == 1, "the NodeManager's return", 300);
  }

  /** Hadoop refuses to make a NameNode active that still waits for blocks. */
  private static boolean isReadyToTakeOver() {
    return cluster
        .cluster()
        .web()
        .bean("http://m1:9870", "NameNode,name=FSNamesystemState")
        .filter(bean -> bean.path("FSState").asText().equals("Operational"))
        .isPresent();
  }

  private static void assertActive(String master) {
    assertThat(health.activeNameNode().map(Host::name)).contains(master);
    assertThat(health.activeResourceManager().map(Host::name)).contains(master);
  }
}
