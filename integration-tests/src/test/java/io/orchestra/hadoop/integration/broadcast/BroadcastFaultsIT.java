package io.orchestra.hadoop.integration.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Rate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever breaks, every localizer gets the whole file. */
@Tag("long")
@Tag("operations")
final class BroadcastFaultsIT {
  private static final String NAMENODE = "m1";

  /** A file takes 40 s, and a large one two minutes, longer than any daemon takes to start. */
  private static final Rate SLOW = Rate.parse("4mbit");

  private static final Duration LONGEST = Duration.ofSeconds(60);

  private static final Pattern ARRIVED =
      Pattern.compile("\\((\\d+) without the swarm\\), (\\d+) from peers");

  private static SwarmCluster cluster;

  @BeforeAll
  static void start() {
    cluster = SwarmCluster.up("swarm", false);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void allPeersAreThere() {
    cluster.running().awaitWorkers();
    cluster.awaitPeers(NAMENODE, SwarmCluster.WORKERS);
  }

  /**
   * A file came as a swarm: these hosts have not read what was missing from HDFS, nor most of it
   * while the swarm went on, and have it from one another.
   */
  private static void assertCameAsASwarm(SwarmCluster.Written file, String... hosts) {
    long fromPeers = 0;
    for (String host : hosts) {
      assertThat(givenUp(file, host)).as(host).isEmpty();
      MatchResult arrival =
          await("the whole of " + file + " on " + host)
              .atMost(LONGEST)
              .until(() -> arrival(file, host), Optional::isPresent)
              .orElseThrow();
      assertThat(Long.parseLong(arrival.group(1)))
          .as("bytes that %s has read from HDFS", host)
          .isLessThan(file.bytes() / 4);
      fromPeers += Long.parseLong(arrival.group(2));
    }
    assertThat(fromPeers)
        .as(
            "bytes from peers of %s",
            Arrays.stream(hosts).map(host -> host + ": " + said(file, host)).toList())
        .isGreaterThan(file.bytes() / 2);
  }

  /** All that a host has logged of a file. */
  private static List<String> said(SwarmCluster.Written file, String host) {
    return cluster.log(host).stream().filter(line -> line.contains(file.path() + " ")).toList();
  }

  /** What a host says of a file that came whole. */
  private static Optional<MatchResult> arrival(SwarmCluster.Written file, String host) {
    return cluster.log(host).stream()
        .filter(line -> line.contains(file.path() + " is here as a swarm"))
        .flatMap(line -> ARRIVED.matcher(line).results())
        .findFirst();
  }

  /** What a host says of it, which metrics would do some seconds later. */
  private static List<String> givenUp(SwarmCluster.Written file, String host) {
    return cluster.log(host).stream()
        .filter(line -> line.contains(" WARN ") && line.contains(file.path() + " is read"))
        .toList();
  }

  /** A file that comes over slow links, then over faster ones, and a fault in the middle of it. */
  private static SwarmCluster.Written amid(Runnable fault) {
    SwarmCluster.Written file = cluster.put();
    cluster.slowDown(SLOW);
    try {
      cluster.localize(file);
      cluster.awaitMiddle(NAMENODE, file);
      assertThat(cluster.arrived(NAMENODE, file))
          .as("most is yet to come")
          .isLessThan(2L * SwarmCluster.FILE_BYTES);
      fault.run();
    } finally {
      cluster.speedUp();
    }
    return file;
  }

  @Test
  void aPeerThatIsKilledInTheMiddleCostsNobodyTheFile() {
    // Also the reader beside it gets the file, from HDFS.
    SwarmCluster.Written file = amid(() -> cluster.faults().kill("r1h2", Daemon.DATANODE));
    cluster.awaitLocalized(file);
    assertCameAsASwarm(file, "r1h3", "r2h2", "r2h3");

    cluster.faults().restart("r1h2", Daemon.DATANODE);
  }

  @Test
  void aHolderThatIsKilledInTheMiddleCostsNobodyTheFile() {
    SwarmCluster.Written file = amid(() -> cluster.faults().kill("r2h1", Daemon.DATANODE));
    cluster.awaitLocalized(file);
    assertCameAsASwarm(file, "r1h2", "r1h3", "r2h2", "r2h3");

    cluster.faults().restart("r2h1", Daemon.DATANODE);
  }

  @Test
  void aPeerThatIsRestartedInTheMiddleCostsNobodyTheFileAndTakesPartAgain() {
    SwarmCluster.Written next = restartInTheMiddle("r1h2", "r1h3", "r2h2", "r2h3");
    // What JMX shows may be some seconds old.
    await()
        .atMost(LONGEST)
        .until(() -> cluster.metric("r1h2", "OrchestraSwarmPeer", "SwarmsCompleted") == 1);
    await()
        .atMost(LONGEST)
        .until(() -> cluster.receivers(NAMENODE, next) == SwarmCluster.RECEIVERS.size());
  }

  @Test
  void aHolderThatIsRestartedInTheMiddleCostsNobodyTheFileAndSeedsAgain() {
    SwarmCluster.Written unused = restartInTheMiddle("r2h1", "r1h2", "r1h3", "r2h2", "r2h3");
    await()
        .atMost(LONGEST)
        .until(() -> cluster.metric("r2h1", "OrchestraSwarmPeer", "BytesSent") > 0);
  }

  /**
   * Restarts a DataNode while a swarm is under way.
   *
   * @param others receivers that have the file as a swarm all the same
   * @return a file that was localized afterwards
   */
  private SwarmCluster.Written restartInTheMiddle(String host, String... others) {
    SwarmCluster.Written file = cluster.put(SwarmCluster.LARGE_FILE_BYTES);
    cluster.slowDown(SLOW);
    try {
      cluster.localize(file);
      cluster.awaitMiddle(NAMENODE, file);
      cluster.faults().restart(host, Daemon.DATANODE);
      cluster.awaitPeers(NAMENODE, SwarmCluster.WORKERS);
      assertThat(cluster.arrived(NAMENODE, file))
          .as("it is still under way")
          .isLessThan(3L * file.bytes());
    } finally {
      cluster.speedUp();
    }
    cluster.awaitLocalized(file);
    assertCameAsASwarm(file, others);

    SwarmCluster.Written next = cluster.put();
    cluster.localize(next);
    cluster.awaitLocalized(next);
    return next;
  }

  @Test
  void aTrackerThatIsRestartedInTheMiddleIsToldOfTheSwarmAndLetsOthersIn() {
    List<String> early = List.of("r1h2", "r1h3", "r2h2");
    SwarmCluster.Written file = cluster.put(SwarmCluster.LARGE_FILE_BYTES);
    cluster.slowDown(SLOW);
    try {
      cluster.localize(file, early);
      cluster.awaitMiddle(NAMENODE, file);
      cluster.faults().restart(NAMENODE, Daemon.NAMENODE);
      cluster.running().awaitWorkers();
      await()
          .atMost(LONGEST)
          .until(
              () ->
                  cluster.receivers(NAMENODE, file) == early.size()
                      && cluster.arrived(NAMENODE, file) > 0);
      assertThat(cluster.arrived(NAMENODE, file))
          .as("it is still under way")
          .isLessThan((long) early.size() * file.bytes());
      cluster.localize(file, List.of("r2h3"));
      await().atMost(LONGEST).until(() -> cluster.receivers(NAMENODE, file) == early.size() + 1);
    } finally {
      cluster.speedUp();
    }
    cluster.awaitLocalized(file);
    assertCameAsASwarm(file, "r1h2", "r1h3", "r2h2", "r2h3");
  }

  @Test
  void withoutItsTrackerASwarmGoesOnAndIsKnownAgainAfterwards() {
    SwarmCluster.Written file = amid(() -> cluster.faults().kill(NAMENODE, Daemon.NAMENODE));
    cluster.awaitLocalized(file);
    assertCameAsASwarm(file, "r1h2", "r1h3", "r2h2", "r2h3");

    cluster.faults().restart(NAMENODE, Daemon.NAMENODE);
    cluster.running().awaitWorkers();
    cluster.awaitPeers(NAMENODE, SwarmCluster.WORKERS);
    SwarmCluster.Written next = cluster.put();
    cluster.localize(next);
    cluster.awaitLocalized(next);
    assertThat(cluster.arrived(NAMENODE, next)).isPositive();
  }

  @Test
  void aPeerThatStandsStillCostsNobodyTheFileAndTakesPartAgainAfterwards() {
    SwarmCluster.Written file = amid(() -> cluster.faults().pause("r1h2", Daemon.DATANODE));
    try {
      cluster.awaitLocalized(file);
      assertCameAsASwarm(file, "r1h3", "r2h2", "r2h3");
      cluster.awaitPeers(NAMENODE, SwarmCluster.WORKERS - 1);
    } finally {
      cluster.faults().resume("r1h2", Daemon.DATANODE);
    }
    cluster.awaitPeers(NAMENODE, SwarmCluster.WORKERS);
    SwarmCluster.Written next = cluster.put();
    cluster.localize(next);
    cluster.awaitLocalized(next);
    assertThat(cluster.arrived(NAMENODE, next)).isPositive();
  }

  @Test
  void aHostWhoseCacheDiskIsFullReadsFromHdfsAndTheLogSaysSoOnce() {
    String options = "size=4m,mode=700,uid=" + Account.HDFS.number();
    cluster.run("r2h3", "mount", "-t", "tmpfs", "-o", options, "tmpfs", SwarmCluster.CACHE);
    SwarmCluster.Written file = cluster.put();
    try {
      cluster.localize(file);
      cluster.awaitLocalized(file);
    } finally {
      // Files may still be open there.
      cluster.run("r2h3", "umount", "--lazy", SwarmCluster.CACHE);
    }
    assertThat(givenUp(file, "r2h3"))
        .singleElement()
        .asString()
        // The second if files of other tests, which lie on another disk, were thought to make room.
        .containsAnyOf("no room in the cache", "No space left on device");
    assertCameAsASwarm(file, "r1h2", "r1h3", "r2h2");
  }

  @Test
  void aHostWhoseCacheDiskFillsInTheMiddleReadsFromHdfs() {
    String options = "size=100m,mode=700,uid=" + Account.HDFS.number();
    cluster.run("r2h3", "mount", "-t", "tmpfs", "-o", options, "tmpfs", SwarmCluster.CACHE);
    SwarmCluster.Written file = cluster.put();
    cluster.slowDown(SLOW);
    try {
      cluster.localize(file);
      cluster.awaitMiddle(NAMENODE, file);
      assertThat(givenUp(file, "r2h3")).as("it was begun").isEmpty();
      cluster.run(
          "r2h3", "sh", "-c", "head -c 200m /dev/zero > " + SwarmCluster.CACHE + "/fill || true");
      assertThat(cluster.arrived(NAMENODE, file))
          .as("it is still under way")
          .isLessThan(3L * SwarmCluster.FILE_BYTES);
    } finally {
      cluster.speedUp();
    }
    try {
      cluster.awaitLocalized(file);
    } finally {
      cluster.run("r2h3", "umount", "--lazy", SwarmCluster.CACHE);
    }
    assertThat(givenUp(file, "r2h3"))
        .singleElement()
        .asString()
        .contains("the disk of the cache refuses")
        .contains("No space left on device");
    assertCameAsASwarm(file, "r1h2", "r1h3", "r2h2");
  }

  @Test
  void aHolderBehindACutLinkIsDoneWithout() {
    SwarmCluster.Written file = amid(() -> cluster.faults().cut("r1h1"));
    try {
      cluster.awaitLocalized(file);
      assertCameAsASwarm(file, "r1h2", "r1h3", "r2h2", "r2h3");
    } finally {
      cluster.faults().heal("r1h1");
    }
  }

  @Test
  void aReceiverBehindASlowLinkHoldsUpNobodyElse() {
    cluster.faults().rate("r1h2", Rate.parse("2mbit"));
    try {
      SwarmCluster.Written file = cluster.put();
      cluster.localize(file);
      await("the tracker hears of busy links")
          .atMost(LONGEST)
          // Of 100 Mbit/s that the holders can send.
          .until(() -> cluster.sent(NAMENODE) > 1_000_000);
      List<Double> others = cluster.awaitLocalized(file, List.of("r1h3", "r2h2", "r2h3"));
      List<Double> slow = cluster.awaitLocalized(file, List.of("r1h2"));
      assertCameAsASwarm(file, "r1h2", "r1h3", "r2h2", "r2h3");
      assertThat(others).allMatch(seconds -> 2 * seconds < slow.get(0));
    } finally {
      cluster.faults().rate("r1h2", Rate.parse("50mbit"));
    }
  }

  /** The first piece is whole when several are, after longer than a reader waits for one. */
  @Test
  void aReceiverBehindASlowLinkBringsALargeFileOnce() {
    SwarmCluster.Written file = cluster.put(2 * SwarmCluster.FILE_BYTES);
    cluster.tell("dfsadmin -refresh m1:8020 orchestra-broadcast piece-size=2m", "status 0");
    cluster.faults().rate("r1h2", Rate.parse("8mbit"));
    long carried = cluster.received("r1h2");
    try {
      cluster.localize(file);
      cluster.awaitLocalized(file);
    } finally {
      cluster.faults().rate("r1h2", Rate.parse("50mbit"));
      cluster.tell("dfsadmin -refresh m1:8020 orchestra-broadcast piece-size=", "status 0");
    }
    // A reader that left the swarm would bring most of it again.
    assertThat(cluster.received("r1h2") - carried).isLessThan(file.bytes() * 3L / 2);
    assertThat(givenUp(file, "r1h2")).isEmpty();
  }

  @Test
  void garbageOnThePortsHarmsNobody() {
    Cluster hosts = cluster.hosts();
    hosts
        .shell(hosts.host("r1h2"))
        .command(
            Optional.of(Account.BOB),
            List.of(
                "bash",
                "-c",
                // Who is left in the middle gets a signal; but somebody must be there.
                "for i in $(seq 20); do for port in m1/8122 r1h1/8121; do"
                    + " exec 3> /dev/tcp/$port || exit 1;"
                    + " head -c 100000 /dev/urandom >&3 || true; exec 3>&-; done; done"))
        .output();
    SwarmCluster.Written file = cluster.put();
    cluster.localize(file);
    cluster.awaitLocalized(file);
    assertCameAsASwarm(file, "r1h2", "r1h3", "r2h2", "r2h3");
  }
}
