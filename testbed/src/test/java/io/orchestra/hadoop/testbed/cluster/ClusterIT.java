package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.Versions;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostShell;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.LinkCounters.LinkBytes;
import io.orchestra.hadoop.testbed.network.Rate;
import io.orchestra.hadoop.testbed.process.Command;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** One real cluster of two workers without YARN; the last test removes it and a second one. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ClusterIT {
  private static final String NAME = "integration-test";
  private static final String SECOND = "integration-test-2";
  private static final int MEGABYTE = 1_000_000;

  private static TestbedHome home;
  private static Cluster cluster;

  @BeforeAll
  static void start() {
    assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("user.name").equals("root"),
        "hosts are emulated only for root on Linux");
    home = TestbedHome.fromEnvironment();
    cluster = boot(NAME);
  }

  @AfterAll
  static void stop() {
    if (home != null) {
      new ClusterTeardown(home).down(NAME);
      new ClusterTeardown(home).down(SECOND);
    }
  }

  @Test
  @Order(1)
  void aliceReadsWhatSheWroteAndBobMayNot() {
    Host worker = cluster.host("r1h1");
    client(worker, Account.ALICE, "hdfs", "dfs", "-put", "/etc/services", "/user/alice/secret");
    client(worker, Account.ALICE, "hdfs", "dfs", "-chmod", "600", "/user/alice/secret");
    Path copy = cluster.home().mountPoint().resolve("home/alice/copy");
    client(
        cluster.host("r1h2"),
        Account.ALICE,
        "hdfs",
        "dfs",
        "-get",
        "/user/alice/secret",
        copy.toString());
    assertThat(cluster.directory().host("r1h2").resolve("home/alice/copy"))
        .hasSameBinaryContentAs(Path.of("/etc/services"));
    Command.Outcome refused = webHdfs("bob");
    assertThat(refused.output()).contains("Permission denied: user=bob");
    assertThat(webHdfs("alice").output()).isEqualTo(FileTree.read(Path.of("/etc/services")));
  }

  @Test
  @Order(2)
  void hostsHaveTheirOwnNamesAndLocalFiles() {
    assertThat(output("r1h1", "hostname").strip()).isEqualTo("r1h1");
    output("r1h1", "touch", "/run/only-here", "/tmp/only-here");
    assertThat(output("r1h2", "ls", "/run", "/tmp")).doesNotContain("only-here");
    assertThat(Path.of("/run/only-here")).doesNotExist();
    assertThat(output("r1h1", "id", "alice")).contains("(alice)");
    assertThat(output("r1h1", "ls", "/sys/class/net").lines()).containsExactly("eth0", "lo");
  }

  @Test
  @Order(3)
  void linksAreShapedAtBothEndsAndCounted() {
    assertThat(output("r1h1", "tc", "class", "show", "dev", "eth0")).contains("rate 100Mbit");
    assertThat(fabric("tc", "class", "show", "dev", "r1h1")).contains("rate 100Mbit");
    assertThat(fabric("tc", "class", "show", "dev", "rack1-up")).contains("rate 400Mbit");
    assertThat(fabric("tc", "class", "show", "dev", "m1")).isEmpty();
    Map<String, LinkBytes> before = cluster.linkCounters().read();
    send("m1", "r1h1", MEGABYTE);
    Map<String, LinkBytes> after = cluster.linkCounters().read();
    assertThat(after.get("rack1").down() - before.get("rack1").down()).isGreaterThan(MEGABYTE);
    assertThat(after.get("r1h1").down() - before.get("r1h1").down()).isGreaterThan(MEGABYTE);
    assertThat(after.get("m1").up() - before.get("m1").up()).isGreaterThan(MEGABYTE);
    assertThat(after.get("r1h2").down() - before.get("r1h2").down()).isLessThan(MEGABYTE);
  }

  @Test
  @Order(4)
  void ratesChangeAndLinksAreCutAndHealed() {
    Faults faults = new Faults(home, NAME);
    faults.rate("r1h1", Rate.parse("50mbit"));
    assertThat(output("r1h1", "tc", "class", "show", "dev", "eth0")).contains("rate 50Mbit");
    assertThat(Cluster.find(home, NAME).state().rate("r1h1")).isEqualTo(Rate.parse("50mbit"));
    faults.cut("rack1");
    assertThat(answers()).isFalse();
    faults.heal("rack1");
    Waiting.until(ClusterIT::answers, "the healed link", 30);
  }

  @Test
  @Order(5)
  void killedDataNodeIsStartedAgain() {
    Host worker = cluster.host("r1h1");
    Faults faults = new Faults(home, NAME);
    faults.kill("r1h1", Daemon.DATANODE);
    assertThat(cluster.daemons().find(worker, Daemon.DATANODE)).isEmpty();
    faults.restart("r1h1", Daemon.DATANODE);
    assertThat(cluster.daemons().find(worker, Daemon.DATANODE)).isPresent();
  }

  @Test
  @Order(6)
  void orphansOnAHostAreReaped() {
    output("r1h1", "bash", "-c", "(sleep 0.01 &) ; (true &)");
    Waiting.until(
        () -> !output("r1h1", "ps", "-e", "-o", "stat,comm").contains("Z"), "no zombies", 10);
  }

  @Test
  @Order(7)
  void secondClusterStandsBesideTheFirstAndNothingIsLeftOfBoth() {
    Cluster second = boot(SECOND);
    assertThat(new Health(second).liveDataNodes()).isEqualTo(2);
    assertThat(new Health(cluster).liveDataNodes()).isEqualTo(2);
    Leftovers ofFirst = new Leftovers(cluster);
    Leftovers ofSecond = new Leftovers(second);
    assertThat(ofFirst.find()).isNotEmpty();
    new ClusterTeardown(home).down(NAME);
    assertThat(new Health(second).liveDataNodes()).isEqualTo(2);
    new ClusterTeardown(home).down(SECOND);
    assertThat(ofFirst.findAfterAWhile()).isEmpty();
    assertThat(ofSecond.findAfterAWhile()).isEmpty();
    assertThat(home.cluster(NAME).root()).doesNotExist();
    assertThat(Command.of("ip", "link", "show").output()).doesNotContain("r1h1", "rack1");
  }

  private static Cluster boot(String name) {
    ClusterSpec spec =
        new ClusterSpec(
            name,
            1,
            2,
            Rate.parse("100mbit"),
            Rate.parse("400mbit"),
            Versions.ofThisBuild().hadoop(),
            "",
            false,
            false,
            List.of(),
            List.of());
    Project project = new Project(Path.of("..").toAbsolutePath().normalize(), "unused");
    return new ClusterBoot(home, project, Progress.onStandardError()).up(spec);
  }

  private static void client(Host host, Account user, String... words) {
    new HadoopClient(cluster, host, Optional.of(user))
        .run(List.of(words), cluster.directory().logs("m1").resolve("client.log"));
  }

  private static Command.Outcome webHdfs(String user) {
    return Command.of(
            cluster
                .firstMaster()
                .words(
                    Optional.empty(),
                    List.of(
                        "curl",
                        "--silent",
                        "--location",
                        "http://m1:9870/webhdfs/v1/user/alice/secret?op=OPEN&user.name=" + user)))
        .run();
  }

  private static boolean answers() {
    return Command.of(
            cluster
                .firstMaster()
                .words(
                    Optional.empty(),
                    List.of("curl", "--silent", "--max-time", "2", "http://r1h2:9864/jmx")))
        .run()
        .succeeded();
  }

  private static String output(String host, String... words) {
    return Command.of(shell(host).words(Optional.empty(), List.of(words))).output();
  }

  private static String fabric(String... words) {
    return Command.of(
            ImmutableList.<String>builder()
                .add("nsenter", "--target")
                .add(Long.toString(cluster.state().hosts().get("fabric").pid()))
                .add("--net")
                .add(words)
                .build())
        .output();
  }

  /** A plain transfer, without Hadoop. */
  private static void send(String from, String to, int bytes) {
    output(
        from,
        "bash",
        "-c",
        "head -c %d /dev/zero | curl --silent --max-time 20 --data-binary @- http://%s:9864/ > /dev/null; true"
            .formatted(bytes, to));
  }

  private static HostShell shell(String host) {
    return cluster.shell(cluster.host(host));
  }
}
