package io.orchestra.hadoop.integration.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.broadcast.rpc.SwarmTrackerClient;
import io.orchestra.hadoop.integration.LiveDoctor;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * All plugins where everybody must prove who he is: Kerberos, service authorization, and private
 * transfers. The unchanged job writes what it writes without them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("long")
@Tag("operations")
final class SecureClusterIT {
  private static final int FILES = 12;
  private static final int FILE_BYTES = 3 << 20;
  private static final int CACHED_BYTES = 16 << 20;
  private static final Duration LONGEST = Duration.ofMinutes(3);
  private static final String PLACEMENT = "/orchestra/placement";
  private static final String BROADCAST = "/orchestra/broadcast";
  private static final String PREFETCH = "/orchestra/prefetch";

  private SecureCluster cluster;
  private int passed;

  @BeforeAll
  void start() {
    cluster = SecureCluster.up();
    await()
        .atMost(LONGEST)
        .ignoreExceptions()
        .until(() -> prefetch().path("daemons").size() == cluster.workers().size());
    // The first replica is on the host of the writer.
    for (int file = 0; file < FILES; file++) {
      cluster.alice(
          file % 2 == 0 ? "r1h1" : "r2h1",
          List.of(
              "jar",
              "examples",
              "randomtextwriter",
              "-Dmapreduce.framework.name=local",
              "-Dmapreduce.randomtextwriter.totalbytes=" + FILE_BYTES,
              "input/" + file));
    }
    cluster
        .hosts()
        .firstMaster()
        .command(
            Optional.of(Account.ALICE),
            List.of("bash", "-c", "head -c %d /dev/urandom > /tmp/cached".formatted(CACHED_BYTES)))
        .output();
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      if (passed == 6) {
        cluster.succeeded();
      }
      cluster.close();
    }
  }

  private JsonNode prefetch() {
    return cluster.json("m1", Daemon.RESOURCEMANAGER, PREFETCH);
  }

  private void count(String output) {
    cluster.alice(
        "m1",
        List.of(
            "jar",
            "examples",
            "wordcount",
            "-files",
            "/tmp/cached",
            "-Dmapreduce.job.reduces=2",
            "-Dorchestra.shuffle.gate=always",
            "input/*",
            output));
  }

  @Test
  @Order(1)
  void everyPluginWorks() {
    count("with-plugins");

    assertThat(
            cluster.json("m1", Daemon.NAMENODE, PLACEMENT).path("picks").path("network").asLong())
        .as("replicas placed by what DataNodes report")
        .isPositive();
    assertThat(cluster.counted(Daemon.DATANODE, "DataNode", "OrchestraSwarmPeer", "BytesReceived"))
        .as("bytes of localized files from peers")
        .isPositive();
    assertThat(
            cluster.counted(
                Daemon.NODEMANAGER, "NodeManager", "OrchestraShuffleServer", "SizesAnswered"))
        .as("map outputs whose sizes reducers were told")
        .isPositive();
    JsonNode locality = prefetch().path("locality");
    long brought =
        Stream.of("ready", "partly", "confirmedReady", "confirmedPartly")
            .mapToLong(where -> locality.path(where).asLong())
            .sum();
    assertThat(brought).as("maps that found their input brought: %s", locality).isPositive();
    for (Daemon daemon : Daemon.values()) {
      assertThat(cluster.logged(daemon, " is off: ")).as(daemon.daemonName()).isEmpty();
    }
    passed++;
  }

  @Test
  @Order(2)
  void nobodyGetsAnythingWithoutATicket() {
    // 8123 believes tokens of application masters alone.
    Map<Integer, String> ports =
        Map.of(8120, "KERBEROS", 8122, "KERBEROS", 8123, "TOKEN", 8124, "KERBEROS");
    for (Map.Entry<Integer, String> port : ports.entrySet()) {
      Command.Outcome outcome =
          cluster.run(
              "r1h1",
              Optional.empty(),
              List.of("hdfs", "dfs", "-fs", "hdfs://m1:" + port.getKey(), "-ls", "/"));
      assertThat(outcome.succeeded()).isFalse();
      assertThat(outcome.error())
          .as("port %d", port.getKey())
          .containsAnyOf(
              "Client cannot authenticate via:[" + port.getValue(),
              "SIMPLE authentication is not enabled");
    }
    for (String page :
        List.of(
            cluster.address("m1", Daemon.NAMENODE) + PLACEMENT,
            cluster.address("m1", Daemon.NAMENODE) + BROADCAST,
            cluster.address("m1", Daemon.RESOURCEMANAGER) + PREFETCH)) {
      assertThat(cluster.hosts().web(Optional.empty()).status(page)).as(page).isEqualTo(401);
      assertThat(cluster.hosts().web(Optional.of(Account.ALICE)).status(page))
          .as("%s for alice", page)
          .isEqualTo(page.endsWith(PLACEMENT) ? 200 : 403);
      assertThat(cluster.hosts().web(Optional.of(Account.HDFS)).status(page))
          .as("%s for an administrator", page)
          .isEqualTo(200);
    }
    for (String worker : cluster.workers()) {
      // What a reducer of ours asks, but for the signature.
      List<String> sizes =
          List.of(
              "curl",
              "--silent",
              "--insecure",
              "--max-time",
              "60",
              "--output",
              "/dev/null",
              "--write-out",
              "%{http_code}",
              "--header",
              "name: mapreduce",
              "--header",
              "version: 1.0.0",
              "https://%s:13562/mapOutput?job=job_1_0001&reduce=0&orchestra=sizes&outputs=attempt_1_0001_m_000000_0"
                  .formatted(worker));
      assertThat(cluster.hosts().firstMaster().command(Optional.empty(), sizes).output().strip())
          .as("sizes on %s", worker)
          .isEqualTo("401");
    }
    passed++;
  }

  @Test
  @Order(3)
  void aTicketIsNotEnoughToSpeakForADataNode() throws IOException {
    assertThatAliceSpeaksForNoDataNode();
    passed++;
  }

  private void assertThatAliceSpeaksForNoDataNode() throws IOException {
    String uuid =
        cluster
            .json("m1", Daemon.NAMENODE, BROADCAST)
            .path("peers")
            .path(0)
            .path("datanode")
            .asText();
    assertThat(uuid).isNotEmpty();
    cluster.addJarOf(SwarmTrackerClient.class);
    List<String> words = List.of("m1", uuid, "r1h1");
    List<String> answers =
        cluster.run("r1h1", Account.ALICE, DataNodeProbe.class, words).lines().toList();
    assertThat(answers).hasSameSizeAs(DataNodeProbe.WHAT);
    for (int answer = 0; answer < answers.size(); answer++) {
      assertThat(answers.get(answer))
          .startsWith(DataNodeProbe.WHAT.get(answer) + DataNodeProbe.REFUSED)
          .contains("is not authorized for protocol");
    }
  }

  /** HTTPS and SPNEGO at DataNodes and NameNode, SPNEGO at YARN's daemons. */
  @Test
  @Order(4)
  void theDoctorIsAnsweredByAllDaemons() throws IOException {
    await()
        .atMost(LONGEST)
        .untilAsserted(
            () ->
                assertThat(LiveDoctor.ask(cluster.hosts()))
                    .contains(
                        "ok       hdfs-placement: the NameNode https://m1:9871 hears of the links of all")
                    .contains(
                        "ok       broadcast-cache: the tracker of https://m1:9871 knows the peers of all")
                    .contains("ok       broadcast-cache: peer and block cache on all")
                    .contains("ok       mapreduce-shuffle: weighted shuffle service on all")
                    .contains(
                        "ok       prefetch-scheduler: the ResourceManager http://m1:8088 is polled by all")
                    .contains("ok       prefetch-scheduler: prefetch daemon and block cache on all")
                    .doesNotContain("problem  ", "unknown  "));
    passed++;
  }

  @Test
  @Order(5)
  void norIsItWhereDaemonsAuthorizeNobody() throws IOException {
    cluster.restartWithoutAuthorization();
    await()
        .atMost(LONGEST)
        .ignoreExceptions()
        .until(
            () ->
                cluster.json("m1", Daemon.NAMENODE, BROADCAST).path("peers").size()
                    == cluster.workers().size());
    assertThatAliceSpeaksForNoDataNode();
    passed++;
  }

  @Test
  @Order(6)
  void stockWritesTheSame() {
    cluster.restartStock();
    count("stock");
    String stock = cluster.read("stock/part-r-*");
    assertThat(stock).isNotEmpty();
    assertThat(cluster.read("with-plugins/part-r-*")).isEqualTo(stock);
    passed++;
  }
}
