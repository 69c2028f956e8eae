package io.orchestra.hadoop.integration.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.integration.EmulatedHosts;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.hadoop.Versions;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Rate;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Stock jobs with many more maps than containers, on hosts of which two have the input: unlike in
 * one process, names, users, class paths and links are those of a real cluster.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
final class PrefetchTestbedIT {
  private static final int BLOCKS = 12;
  private static final int BLOCK = 3 << 20;
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final List<Setting> SETTINGS =
      List.of(
          new Setting(Site.HDFS, "dfs.replication", "1"),
          new Setting(Site.YARN, "yarn.nodemanager.resource.memory-mb", "256"),
          new Setting(Site.YARN, "yarn.scheduler.minimum-allocation-mb", "256"),
          new Setting(Site.YARN, "yarn.resource-types.memory-mb.increment-allocation", "256"),
          new Setting(Site.YARN, "yarn.scheduler.maximum-allocation-mb", "256"),
          new Setting(Site.YARN, "orchestra.prefetch.confirmed", "true"),
          new Setting(Site.MAPRED, "yarn.app.mapreduce.am.resource.mb", "256"),
          new Setting(Site.MAPRED, "mapreduce.map.speculative", "false"));

  private RunningCluster running;

  @BeforeAll
  void start() throws IOException {
    EmulatedHosts.assumePossible();
    running =
        EmulatedHosts.start(
            new ClusterSpec(
                "it-prefetch-" + ProcessHandle.current().pid(),
                2,
                2,
                Rate.parse("50mbit"),
                Rate.parse("100mbit"),
                Versions.ofThisBuild().hadoop(),
                "",
                false,
                true,
                List.of(Plugin.PREFETCH),
                SETTINGS));
    awaitDaemons();
    // The first replica is on the host of the writer.
    for (String host : List.of("r1h1", "r2h1")) {
      run(
          host,
          List.of(
              "jar",
              "examples",
              "randomtextwriter",
              "-Dmapreduce.framework.name=local",
              "-Ddfs.blocksize=" + BLOCK,
              "-Dmapreduce.randomtextwriter.totalbytes=" + (BLOCKS * BLOCK - BLOCK) / 2,
              "input/" + host));
    }
  }

  @AfterAll
  void stop() {
    if (running != null) {
      running.close();
    }
  }

  private void awaitDaemons() {
    await().atMost(LONGEST).ignoreExceptions().until(() -> report().path("daemons").size() == 4);
  }

  private JsonNode report() {
    return running
        .cluster()
        .web()
        .json("http://m1:8088/orchestra/prefetch")
        .orElseThrow(() -> new AssertionError("no report"));
  }

  private String run(String host, List<String> words) {
    Command.Outcome outcome =
        new HadoopClient(
                running.cluster(), running.cluster().host(host), Optional.of(Account.ALICE))
            .hadoop(words)
            .run();
    assertThat(outcome.succeeded()).as(outcome.complaint()).isTrue();
    return outcome.error();
  }

  private void count(String output) {
    run("m1", List.of("jar", "examples", "wordcount", "input/*", output));
  }

  private long maps(String where) {
    return report().path("locality").path(where).asLong();
  }

  @Test
  void mapsAwayFromTheirInputFindItBroughtAlsoAfterARestartOfTheResourceManager() {
    count("first");
    assertThat(maps("local") + maps("ready") + maps("partly") + maps("away"))
        .as("maps that had no container when the master first told of them")
        .isBetween(BLOCKS / 2L, (long) BLOCKS);
    assertThat(maps("ready")).as("%s", report()).isPositive();

    running
        .cluster()
        .daemons()
        .kill(running.cluster().plan().masters().get(0), Daemon.RESOURCEMANAGER);
    running
        .cluster()
        .daemons()
        .start(running.cluster().plan().masters().get(0), Daemon.RESOURCEMANAGER);
    running.awaitWorkers();
    awaitDaemons();
    count("second");
    assertThat(maps("ready")).as("%s", report()).isPositive();

    assertThat(checksum("second")).isEqualTo(checksum("first"));
    running.succeeded();
  }

  private String checksum(String directory) {
    Command.Outcome outcome =
        new HadoopClient(
                running.cluster(), running.cluster().host("m1"), Optional.of(Account.ALICE))
            .hadoop(List.of("hdfs", "dfs", "-cat", directory + "/part-r-*"))
            .run();
    assertThat(outcome.succeeded()).isTrue();
    return outcome.output();
  }
}
