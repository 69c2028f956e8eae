package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.LinkCounters.LinkBytes;
import io.orchestra.hadoop.testbed.network.Rate;
import io.orchestra.hadoop.testbed.process.Command;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** One real cluster of two workers without YARN; the last test removes it and a second one. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ClusterIT {
  private static final int MEGABYTE = 1_000_000;

  private static TestCluster first;
  private static Cluster cluster;

  @BeforeAll
  static void start() {
    TestCluster.assumePossible();
    first = TestCluster.up(TestCluster.spec("first", List.of()));
    cluster = first.cluster();
  }

  @AfterAll
  static void stop() {
    if (first != null) {
      first.close();
    }
  }

  @Test
  @Order(1)
  void aliceReadsWhatSheWroteAndBobMayNot() {
    first.hadoop(
        "r1h1", Account.ALICE, "hdfs", "dfs", "-put", "/etc/services", "/user/alice/secret");
    first.hadoop("r1h1", Account.ALICE, "hdfs", "dfs", "-chmod", "600", "/user/alice/secret");
    Path copy = cluster.home().mountPoint().resolve("home/alice/copy");
    first.hadoop(
        "r1h2", Account.ALICE, "hdfs", "dfs", "-get", "/user/alice/secret", copy.toString());
    assertThat(cluster.directory().host("r1h2").resolve("home/alice/copy"))
        .hasSameBinaryContentAs(Path.of("/etc/services"));
    assertThat(webHdfs("bob")).contains("Permission denied: user=bob");
    assertThat(webHdfs("alice")).isEqualTo(FileTree.read(Path.of("/etc/services")));
  }

  @Test
  @Order(2)
  void hostsHaveTheirOwnNamesAndLocalFiles() {
    assertThat(first.output("r1h1", "hostname").strip()).isEqualTo("r1h1");
    first.output("r1h1", "touch", "/run/only-here", "/tmp/only-here");
    assertThat(first.output("r1h2", "ls", "/run", "/tmp")).doesNotContain("only-here");
    assertThat(Path.of("/run/only-here")).doesNotExist();
    assertThat(first.output("r1h1", "id", "alice")).contains("(alice)");
    assertThat(first.output("r1h1", "ls", "/sys/class/net").lines()).containsExactly("eth0", "lo");
  }

  @Test
  @Order(3)
  void linksAreShapedAtBothEndsAndCounted() {
    assertThat(rates("r1h1")).allMatch(line -> line.contains("rate 100Mbit"));
    assertThat(first.fabric("tc", "class", "show", "dev", "rack1-up")).contains("rate 400Mbit");
    assertThat(first.fabric("tc", "class", "show", "dev", "m1")).isEmpty();
    assertThat(first.output("r1h1", "tc", "qdisc", "show", "dev", "eth0"))
        .contains("bfifo 10: parent 1:1 limit 2500000b");
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
  void ratesChangeAtBothEndsWhateverWasLeftThere() {
    first.faults().rate("r1h1", Rate.parse("50mbit"));
    assertThat(rates("r1h1")).allMatch(line -> line.contains("rate 50Mbit"));
    assertThat(cluster.state().rate("r1h1")).isEqualTo(Rate.parse("50mbit"));
    // As if an earlier change had been stopped between the ends, and in the middle of one.
    first.output("r1h1", "tc", "qdisc", "del", "dev", "eth0", "root");
    first.fabric("tc", "qdisc", "del", "dev", "r1h1", "parent", "1:1", "handle", "10:");
    first.faults().rate("r1h1", Rate.parse("20mbit"));
    assertThat(rates("r1h1")).allMatch(line -> line.contains("leaf 10: prio 0 rate 20Mbit"));
    first.output("r1h1", "tc", "qdisc", "del", "dev", "eth0", "root");
    first.faults().rate("r1h1", Rate.UNLIMITED);
    assertThat(rates("r1h1")).allMatch(String::isEmpty);
    first.faults().rate("r1h1", Rate.parse("100mbit"));
    assertThat(rates("r1h1")).allMatch(line -> line.contains("rate 100Mbit"));
  }

  @Test
  @Order(5)
  void linksAreCutAndHealed() {
    first.faults().cut("rack1");
    assertThat(answers()).isFalse();
    first.faults().heal("rack1");
    Waiting.until(ClusterIT::answers, "the healed link", 120);
  }

  @Test
  @Order(6)
  void killedDataNodeIsStartedAgain() {
    Host worker = cluster.host("r1h1");
    first.faults().kill("r1h1", Daemon.DATANODE);
    assertThat(cluster.daemons().find(worker, Daemon.DATANODE)).isEmpty();
    first.faults().restart("r1h1", Daemon.DATANODE);
    assertThat(cluster.daemons().find(worker, Daemon.DATANODE)).isPresent();
  }

  @Test
  @Order(7)
  void orphansOnAHostAreReaped() {
    first.output("r1h1", "bash", "-c", "(sleep 0.01 > /dev/null 2>&1 &) ; (true &)");
    Waiting.until(
        () -> !first.output("r1h1", "ps", "-e", "-o", "stat,comm").contains("Z"), "no zombies", 60);
  }

  @Test
  @Order(8)
  void secondClusterStandsBesideTheFirstAndNothingIsLeftOfBoth() {
    Leftovers leftovers = Leftovers.beforeStart(TestCluster.home());
    leftovers.remember(cluster);
    try (TestCluster second = TestCluster.up(TestCluster.spec("second", List.of()))) {
      assertThat(new Health(second.cluster()).liveDataNodes()).isEqualTo(2);
      assertThat(new Health(cluster).liveDataNodes()).isEqualTo(2);
      assertThat(Command.of("ip", "link", "show").output()).doesNotContain("r1h1", "rack1");
      assertThat(leftovers.find()).isNotEmpty();
      first.close();
      assertThat(leftovers.find()).isEmpty();
      assertThat(cluster.directory().root()).doesNotExist();
      assertThat(new Health(second.cluster()).liveDataNodes()).isEqualTo(2);
      leftovers.remember(second.cluster());
      second.close();
      assertThat(leftovers.find()).isEmpty();
    }
  }

  private static String webHdfs(String user) {
    return first.output(
        "m1",
        "curl",
        "--silent",
        "--location",
        "http://m1:9870/webhdfs/v1/user/alice/secret?op=OPEN&user.name=" + user);
  }

  private static boolean answers() {
    return first
        .command(
            "m1",
            "curl",
            "--silent",
            "--connect-timeout",
            "2",
            "--max-time",
            "30",
            "http://r1h2:9864/jmx")
        .run()
        .succeeded();
  }

  /** What tc shows at both ends of a worker's link. */
  private static List<String> rates(String host) {
    return List.of(
        first.output(host, "tc", "class", "show", "dev", "eth0"),
        first.fabric("tc", "class", "show", "dev", host));
  }

  /** A plain transfer, without Hadoop; the DataNode that gets it may never answer. */
  private static void send(String from, String to, int bytes) {
    first.output(
        from,
        "bash",
        "-c",
        ("head -c %d /dev/zero | curl --silent --max-time 20 --speed-limit 1 --speed-time 5"
                + " --data-binary @- http://%s:9864/ > /dev/null; true")
            .formatted(bytes, to));
  }
}
