package io.orchestra.hadoop.integration.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever breaks, every localizer gets the whole file. */
@Tag("long")
final class BroadcastFaultsIT {
  private static final String NAMENODE = "m1";

  /** A file takes 40 s, longer than any daemon takes to start. */
  private static final Rate SLOW = Rate.parse("4mbit");

  private static final Duration LONGEST = Duration.ofSeconds(30);

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
    cluster.awaitPeers(NAMENODE, SwarmCluster.WORKERS);
  }

  /** A file came as a swarm: these hosts have not read what was missing from HDFS. */
  private static void assertNoneGaveUp(SwarmCluster.Written file, String... hosts) {
    for (String host : hosts) {
      assertThat(givenUp(file, host)).as(host).isEmpty();
    }
  }

  /** What a host says of it, which metrics would do some seconds later. */
  private static List<String> givenUp(SwarmCluster.Written file, String host) {
    return cluster.log(host).stream()
        .filter(line -> line.contains(" WARN ") && line.contains(file.path() + " is read"))
        .toList();
  }

  @Test
  void aPeerThatIsKilledInTheMiddleCostsNobodyTheFile() {
    SwarmCluster.Written file = cluster.put();
    cluster.localize(file);
    cluster.awaitMiddle(NAMENODE, file);
    // Also the reader beside it gets the file, from HDFS.
    cluster.faults().kill("r1h2", Daemon.DATANODE);
    cluster.awaitLocalized(file);
    assertNoneGaveUp(file, "r1h3", "r2h2", "r2h3");

    cluster.faults().restart("r1h2", Daemon.DATANODE);
  }

  @Test
  void aHolderThatIsKilledInTheMiddleCostsNobodyTheFile() {
    SwarmCluster.Written file = cluster.put();
    cluster.localize(file);
    cluster.awaitMiddle(NAMENODE, file);
    cluster.faults().kill("r2h1", Daemon.DATANODE);
    cluster.awaitLocalized(file);
    assertNoneGaveUp(file, "r1h2", "r1h3", "r2h2", "r2h3");

    cluster.faults().restart("r2h1", Daemon.DATANODE);
  }

  @Test
  void aPeerThatIsRestartedInTheMiddleCostsNobodyTheFileAndTakesPartAgain() {
    SwarmCluster.Written next = restartInTheMiddle("r1h2", "r1h3", "r2h2", "r2h3");
    // What JMX shows may be some seconds old.
    await()
        .atMost(LONGEST)
        .until(() -> cluster.metric("r1h2", "OrchestraSwarmPeer", "SwarmsCompleted") == 1);
    assertThat(cluster.receivers(NAMENODE, next)).isEqualTo(SwarmCluster.RECEIVERS.size());
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
    SwarmCluster.Written file = cluster.put();
    cluster.slowDown(SLOW);
    try {
      cluster.localize(file);
      cluster.awaitMiddle(NAMENODE, file);
      cluster.faults().restart(host, Daemon.DATANODE);
      cluster.awaitPeers(NAMENODE, SwarmCluster.WORKERS);
      assertThat(cluster.arrived(NAMENODE, file))
          .as("it is still under way")
          .isLessThan(3L * SwarmCluster.FILE_BYTES);
    } finally {
      cluster.speedUp();
    }
    cluster.awaitLocalized(file);
    assertNoneGaveUp(file, others);

    SwarmCluster.Written next = cluster.put();
    cluster.localize(next);
    cluster.awaitLocalized(next);
    return next;
  }

  @Test
  void aTrackerThatIsRestartedInTheMiddleIsToldOfTheSwarmAndLetsOthersIn() {
    List<String> early = List.of("r1h2", "r1h3", "r2h2");
    SwarmCluster.Written file = cluster.put();
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
          .isLessThan((long) early.size() * SwarmCluster.FILE_BYTES);
      cluster.localize(file, List.of("r2h3"));
      await().atMost(LONGEST).until(() -> cluster.receivers(NAMENODE, file) == early.size() + 1);
    } finally {
      cluster.speedUp();
    }
    cluster.awaitLocalized(file);
    assertNoneGaveUp(file, "r1h2", "r1h3", "r2h2", "r2h3");
  }

  @Test
  void withoutItsTrackerASwarmGoesOnAndIsKnownAgainAfterwards() {
    SwarmCluster.Written file = cluster.put();
    cluster.localize(file);
    cluster.awaitMiddle(NAMENODE, file);
    cluster.faults().kill(NAMENODE, Daemon.NAMENODE);
    cluster.awaitLocalized(file);

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
    SwarmCluster.Written file = cluster.put();
    cluster.localize(file);
    cluster.awaitMiddle(NAMENODE, file);
    cluster.faults().pause("r1h2", Daemon.DATANODE);
    try {
      cluster.awaitLocalized(file);
      assertNoneGaveUp(file, "r1h3", "r2h2", "r2h3");
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
    assertThat(cluster.arrived(NAMENODE, file)).isPositive();
  }

  @Test
  void aHolderBehindACutLinkIsDoneWithout() {
    SwarmCluster.Written file = cluster.put();
    cluster.localize(file);
    cluster.awaitMiddle(NAMENODE, file);
    cluster.faults().cut("r1h1");
    try {
      cluster.awaitLocalized(file);
      assertNoneGaveUp(file, "r1h2", "r1h3", "r2h2", "r2h3");
    } finally {
      cluster.faults().heal("r1h1");
    }
  }

  @Test
  void aReceiverBehindASlowLinkHoldsUpNobodyElse() {
    cluster.faults().rate("r1h2", Rate.parse("8mbit"));
    try {
      SwarmCluster.Written file = cluster.put();
      cluster.localize(file);
      List<Double> others = cluster.awaitLocalized(file, List.of("r1h3", "r2h2", "r2h3"));
      List<Double> slow = cluster.awaitLocalized(file, List.of("r1h2"));
      assertNoneGaveUp(file, "r1h2", "r1h3", "r2h2", "r2h3");
      assertThat(others).allMatch(seconds -> seconds < slow.get(0));
    } finally {
      cluster.faults().rate("r1h2", Rate.parse("50mbit"));
    }
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
                "for i in $(seq 20); do head -c 100000 /dev/urandom > /dev/tcp/m1/8122;"
                    + " head -c 100000 /dev/urandom > /dev/tcp/r1h1/8121; done; true"))
        .output();
    SwarmCluster.Written file = cluster.put();
    cluster.localize(file);
    cluster.awaitLocalized(file);
    assertThat(cluster.arrived(NAMENODE, file)).isPositive();
  }
}
