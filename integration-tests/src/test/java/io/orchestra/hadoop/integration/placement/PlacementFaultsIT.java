package io.orchestra.hadoop.integration.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.integration.EmulatedHosts;
import io.orchestra.hadoop.testbed.agent.WorkerAgent;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostProgram;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever breaks, no write fails that stock HDFS would have completed. */
final class PlacementFaultsIT {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private static FaultyCluster cluster;

  @BeforeAll
  static void start() {
    cluster = FaultyCluster.up("faults", false);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void allReport() {
    awaitReporting(FaultyCluster.WORKERS);
  }

  @AfterEach
  void nothingIsLost() {
    cluster.assertNothingLost();
  }

  @Test
  void aNameNodeThatWasKilledPlacesByTheNetworkAgain() {
    cluster.writeAll(3);
    cluster.running().faults().kill("m1", Daemon.NAMENODE);
    cluster.running().faults().restart("m1", Daemon.NAMENODE);
    cluster.running().awaitWorkers();
    awaitReporting(FaultyCluster.WORKERS);
    awaitPlacing();

    long placed = cluster.placed("m1");
    cluster.writeAll(3);
    assertThat(cluster.placed("m1"))
        .as("%s", cluster.report("m1"))
        .isGreaterThanOrEqualTo(placed + 6);
  }

  @Test
  void aDataNodeThatDiesAmidWritesIsMissedAndComesBack() {
    cluster.write(60);
    cluster.awaitWritten(5);
    cluster.running().faults().kill("r2h1", Daemon.DATANODE);
    cluster.awaitWritten(55);
    cluster.awaitEnd();
    awaitReporting(FaultyCluster.WORKERS - 1);

    cluster.running().faults().restart("r2h1", Daemon.DATANODE);
    awaitReporting(FaultyCluster.WORKERS);
  }

  @Test
  void aDataNodeBehindACutLinkCountsAsFullUntilItIsHeardAgain() {
    cluster.running().faults().cut("r2h2");
    try {
      awaitReporting(FaultyCluster.WORKERS - 1);
      JsonNode silent = node("r2h2");
      assertThat(silent.required("share").asLong()).isZero();
      long picks = silent.required("picks").asLong();
      int looks = 0;
      for (int file = 0; file < 10; file++) {
        cluster.writeAll(1);
        // Sooner or later the NameNode calls it dead and tells no more of it.
        Optional<JsonNode> now = find("r2h2");
        if (now.isPresent()) {
          looks++;
          assertThat(now.get().required("picks").asLong()).isEqualTo(picks);
        }
      }
      assertThat(looks).as("files after which the NameNode told of it").isPositive();
    } finally {
      cluster.running().faults().heal("r2h2");
    }
    awaitReporting(FaultyCluster.WORKERS);
  }

  @Test
  void garbageOnTheCollectorsPortHarmsNobody() {
    Cluster hosts = cluster.running().cluster();
    hosts
        .shell(hosts.host("r1h2"))
        .command(
            Optional.of(Account.BOB),
            List.of(
                "bash",
                "-c",
                "for i in $(seq 50); do head -c 100000 /dev/urandom > /dev/tcp/m1/8120; done; true"))
        .output();

    cluster.writeAll(5);
    awaitReporting(FaultyCluster.WORKERS);
  }

  @Test
  void nobodyReportsForAnotherHostsDataNode() {
    long rejected = cluster.report("m1").orElseThrow().path("reportsRejected").asLong();
    try (HostProgram impostor = agent("r1h2")) {
      impostor.send("oracle m1:8120 " + uuid("r1h3") + " 1 0 50000000");
      await()
          .atMost(LONGEST)
          .until(
              () -> cluster.report("m1").orElseThrow().path("reportsRejected").asLong() > rejected);

      assertThat(node("r1h3").path("trusted").asBoolean()).isTrue();
      awaitReporting(FaultyCluster.WORKERS);
      cluster.writeAll(5);
    }
  }

  /**
   * It says that its link is the fastest of all and idle, and gets all it can get: one replica of
   * each file. The writer, in the other rack, keeps the first; the other two are on two of the
   * three hosts of the liar's rack, and inside that rack only their own links count.
   *
   * <p>If the lie meant nothing the liar would have each file with probability 2/3, and 38 or more
   * of 40 with 0.00002: the sum of C(40, k) (2/3)^k (1/3)^(40 - k). Two may go elsewhere, as when a
   * client has asked again, which leaves its choice to HDFS.
   */
  @Test
  void aDataNodeThatLiesAboutItsLinkGetsAReplicaOfEachFileAndHarmsNoWrite() {
    try (HostProgram liar = agent("r2h3")) {
      liar.send("oracle m1:8120 " + uuid("r2h3") + " 1 0 100000000000");
      await().atMost(LONGEST).until(() -> liesAboutItsLink("r2h3"));
      cluster.writeAll("/lied-to", 40);
      assertThat(liesAboutItsLink("r2h3")).as("to the end").isTrue();

      assertThat(cluster.filesOn("r2h3", "/lied-to", 40)).isGreaterThanOrEqualTo(38);
    }
  }

  private static boolean liesAboutItsLink(String host) {
    return node(host).required("capacity").asLong() > 50_000_000_000L;
  }

  @Test
  void settingsChangeInARunningNameNode() {
    cluster.tell("dfsadmin -refresh m1:8020 orchestra-placement enabled=false", "status 0");
    await()
        .atMost(LONGEST)
        .until(() -> !cluster.report("m1").orElseThrow().required("enabled").asBoolean());
    long placed = cluster.placed("m1");
    cluster.writeAll(3);
    assertThat(cluster.placed("m1")).isEqualTo(placed);

    assertThat(cluster.tell("dfsadmin -refresh m1:8020 orchestra-placement smoothing=9", "status "))
        .doesNotStartWith("0");
    cluster.tell("dfsadmin -refresh m1:8020 orchestra-placement enabled=", "status 0");
    awaitReporting(FaultyCluster.WORKERS);
    cluster.writeAll(3);
    assertThat(cluster.placed("m1")).isGreaterThan(placed);
  }

  private static HostProgram agent(String host) {
    HostProgram agent =
        EmulatedHosts.program(
            cluster.running(), host, Account.BOB, "test-agent", WorkerAgent.class);
    assertThat(agent.receive(LONGEST)).startsWith("ready");
    return agent;
  }

  private static String uuid(String host) {
    Map<String, String> uuids =
        Stream.of(cluster.tell("nodes", "nodes ").split(" "))
            .collect(
                Collectors.toMap(
                    pair -> pair.substring(0, pair.indexOf('=')),
                    pair -> pair.substring(pair.indexOf('=') + 1)));
    return uuids.get(host);
  }

  private static JsonNode node(String host) {
    return find(host).orElseThrow(() -> new AssertionError("the NameNode does not know " + host));
  }

  private static Optional<JsonNode> find(String host) {
    for (JsonNode node : cluster.report("m1").orElseThrow().path("nodes")) {
      if (node.path("host").asText().equals(host)) {
        return Optional.of(node);
      }
    }
    return Optional.empty();
  }

  /**
   * A DataNode reports its link as soon as it is registered, but gets no block before its first
   * heartbeat told of its storage and a snapshot knows that.
   */
  private static void awaitPlacing() {
    await()
        .atMost(LONGEST)
        .until(
            () -> {
              long placed = cluster.placed("m1");
              cluster.writeAll(1);
              return cluster.placed("m1") >= placed + 2;
            });
  }

  private static void awaitReporting(int count) {
    await().atMost(LONGEST).until(() -> cluster.reporting("m1") == count);
  }
}
