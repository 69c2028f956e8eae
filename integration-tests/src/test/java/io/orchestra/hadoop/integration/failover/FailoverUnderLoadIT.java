package io.orchestra.hadoop.integration.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.integration.EmulatedHosts;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.hadoop.Versions;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.Rate;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * All plugins on a cluster with two NameNodes and two ResourceManagers, which change places while a
 * stock job runs.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
@Tag("operations")
final class FailoverUnderLoadIT {
  private static final int BLOCKS = 36;
  private static final int BLOCK = 2 << 20;
  private static final int BALLAST_BYTES = 10 << 20;
  private static final int WORKERS = 4;
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final Duration LONGEST_JOB = Duration.ofMinutes(4);

  /** One container fills a host. */
  private static final List<Setting> SETTINGS =
      List.of(
          new Setting(Site.HDFS, "dfs.replication", "1"),
          new Setting(Site.YARN, "yarn.nodemanager.resource.memory-mb", "256"),
          new Setting(Site.YARN, "yarn.scheduler.minimum-allocation-mb", "256"),
          new Setting(Site.YARN, "yarn.resource-types.memory-mb.increment-allocation", "256"),
          new Setting(Site.YARN, "yarn.scheduler.maximum-allocation-mb", "256"),
          new Setting(Site.MAPRED, "yarn.app.mapreduce.am.resource.mb", "256"),
          new Setting(Site.MAPRED, "mapreduce.client.submit.file.replication", "1"),
          new Setting(Site.MAPRED, "mapreduce.map.speculative", "false"));

  private RunningCluster running;

  @BeforeAll
  void start() throws IOException {
    EmulatedHosts.assumePossible();
    running =
        EmulatedHosts.start(
            new ClusterSpec(
                "it-failover-" + ProcessHandle.current().pid(),
                2,
                2,
                Rate.parse("50mbit"),
                Rate.parse("100mbit"),
                Versions.ofThisBuild().hadoop(),
                "",
                true,
                true,
                List.of(Plugin.values()),
                SETTINGS));
    awaitPlugins("m1");
    // Half of the workers have all of the input.
    for (String host : List.of("r1h1", "r2h1")) {
      hadoop(
          host,
          "jar",
          "examples",
          "randomtextwriter",
          "-Dmapreduce.framework.name=local",
          "-Ddfs.blocksize=" + BLOCK,
          "-Dmapreduce.randomtextwriter.totalbytes=" + (BLOCKS * BLOCK - BLOCK) / 2,
          "input/" + host);
    }
    byte[] ballast = new byte[BALLAST_BYTES];
    new Random(1).nextBytes(ballast);
    Files.write(running.cluster().directory().host("m1").resolve("tmp/ballast"), ballast);
  }

  @AfterAll
  void stop() {
    if (running != null) {
      running.close();
    }
  }

  @Test
  void aJobOutlivesBothMastersAndAllPluginsServeTheNextOne() {
    count("calm");

    CompletableFuture<Void> job = CompletableFuture.runAsync(() -> count("moved"));
    await().atMost(LONGEST).until(() -> progressOfJobs("m1").stream().anyMatch(at -> at > 10));
    running.faults().failover(Progress.onStandardError());
    assertThat(progressOfJobs("m2")).as("jobs that outlive the failover").hasSize(1);
    job.orTimeout(LONGEST_JOB.toSeconds(), TimeUnit.SECONDS).join();

    awaitPlugins("m2");
    long swarms = onWorkers("9864", "DataNode", "OrchestraSwarmPeer", "SwarmsCompleted");
    long sizes = onWorkers("8042", "NodeManager", "OrchestraShuffleServer", "SizesAnswered");
    count("after");
    assertThat(sum("moved")).isEqualTo(sum("calm"));
    assertThat(sum("after")).isEqualTo(sum("calm"));
    assertThat(report("m2:9870/orchestra/placement").path("picks").path("network").asLong())
        .isPositive();
    await()
        .atMost(LONGEST)
        .untilAsserted(
            () -> {
              assertThat(onWorkers("9864", "DataNode", "OrchestraSwarmPeer", "SwarmsCompleted"))
                  .isGreaterThan(swarms);
              assertThat(
                      onWorkers("8042", "NodeManager", "OrchestraShuffleServer", "SizesAnswered"))
                  .isGreaterThan(sizes);
            });
    JsonNode locality = report("m2:8088/orchestra/prefetch").path("locality");
    assertThat(locality.path("ready").asLong() + locality.path("partly").asLong())
        .as("%s", locality)
        .isPositive();
    running.succeeded();
  }

  /** Returns once a master's trackers and coordinator know all workers. */
  private void awaitPlugins(String master) {
    await()
        .atMost(LONGEST)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              assertThat(report(master + ":9870/orchestra/broadcast").path("peers"))
                  .hasSize(WORKERS);
              assertThat(report(master + ":8088/orchestra/prefetch").path("daemons"))
                  .hasSize(WORKERS);
            });
  }

  private JsonNode report(String address) {
    return running
        .cluster()
        .web()
        .json("http://" + address)
        .orElseThrow(() -> new AssertionError("no report from " + address));
  }

  /** Of the applications that have not ended, as a ResourceManager knows them, percent. */
  private List<Double> progressOfJobs(String master) {
    List<Double> progress = new ArrayList<>();
    for (JsonNode app :
        report(master + ":8088/ws/v1/cluster/apps?states=ACCEPTED,RUNNING").findPath("app")) {
      progress.add(app.path("progress").asDouble());
    }
    return progress;
  }

  private long onWorkers(String port, String service, String source, String metric) {
    return running.cluster().plan().workers().stream()
        .map(Host::name)
        .map(
            host ->
                "%s:%s/jmx?qry=Hadoop:service=%s,name=%s".formatted(host, port, service, source))
        .mapToLong(address -> report(address).path("beans").path(0).path(metric).asLong())
        .sum();
  }

  private void count(String output) {
    hadoop("m1", "jar", "examples", "wordcount", "-files", "/tmp/ballast", "input/*", output);
  }

  private String sum(String directory) {
    return hadoop("m1", "hdfs", "dfs", "-cat", directory + "/part-r-*");
  }

  /** Returns what was printed to standard output. */
  private String hadoop(String host, String... words) {
    Command.Outcome outcome =
        new HadoopClient(
                running.cluster(), running.cluster().host(host), Optional.of(Account.ALICE))
            .hadoop(List.of(words))
            .within(LONGEST_JOB)
            .run();
    assertThat(outcome.succeeded()).as(outcome.complaint()).isTrue();
    return outcome.output();
  }
}
