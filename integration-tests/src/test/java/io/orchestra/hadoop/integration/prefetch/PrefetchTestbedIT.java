package io.orchestra.hadoop.integration.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.integration.EmulatedHosts;
import io.orchestra.hadoop.integration.OneContainerHosts;
import io.orchestra.hadoop.integration.PrefetchLook;
import io.orchestra.hadoop.integration.PrefetchLook.Flow;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.Rate;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
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
 * Stock jobs with many more maps than containers, on hosts of which two have the input: unlike in
 * one process, names, users, class paths and links are those of a real cluster.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("long")
@Tag("operations")
final class PrefetchTestbedIT {
  private static final int BLOCKS = 12;
  private static final int BLOCK_BYTES = 3 << 20;
  private static final Duration LONGEST = Duration.ofMinutes(3);
  private static final int MOST_JOBS = 5;

  /** At which a block is on its way for six seconds at least. */
  private static final Rate SLOW = Rate.parse("4mbit");

  private RunningCluster running;
  private int passed;

  @BeforeAll
  void start() throws IOException {
    EmulatedHosts.assumePossible();
    running =
        OneContainerHosts.start(
            "prefetch",
            false,
            List.of(Plugin.PREFETCH),
            new Setting(Site.YARN, "orchestra.prefetch.confirmed", "true"),
            new Setting(Site.YARN, "yarn.resourcemanager.recovery.enabled", "true"),
            new Setting(
                Site.YARN,
                "yarn.resourcemanager.store.class",
                "org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore"),
            new Setting(
                Site.YARN,
                "yarn.resourcemanager.fs.state-store.uri",
                "file:///tmp/resourcemanager"));
    awaitDaemons();
    OneContainerHosts.writeInput(running, BLOCKS, BLOCK_BYTES);
  }

  @AfterAll
  void stop() {
    if (running != null) {
      if (passed == 2) {
        running.succeeded();
      }
      running.close();
    }
  }

  private void awaitDaemons() {
    await()
        .atMost(LONGEST)
        .ignoreExceptions()
        .until(() -> report().path("daemons").size() == OneContainerHosts.WORKERS);
  }

  private JsonNode report() {
    return await("the ResourceManager's report")
        .atMost(LONGEST)
        .until(
            () -> running.cluster().web().json("http://m1:8088/orchestra/prefetch"),
            Optional::isPresent)
        .orElseThrow();
  }

  private PrefetchLook look() {
    return new PrefetchLook(report());
  }

  /**
   * What the job itself needs of HDFS, such as its job.xml, outlives a host; its input does not.
   */
  private void count(String output) {
    String unusedOutput =
        OneContainerHosts.hadoop(
            running,
            "m1",
            "jar",
            "examples",
            "wordcount",
            "-Ddfs.replication=2",
            // What the hosts' XML calls final is not a job's to change.
            "-Dorchestra.block-cache.map-input=false",
            "input/*",
            output);
  }

  /** Bytes that the block caches of all hosts have given to maps. */
  private long served() {
    return running.cluster().plan().workers().stream()
        .map(
            host ->
                running
                    .cluster()
                    .web()
                    .bean(
                        running.cluster().webAddress(host, Daemon.DATANODE),
                        "DataNode,name=OrchestraBlockCache"))
        .mapToLong(bean -> bean.orElseThrow().path("BytesServed").asLong())
        .sum();
  }

  private long maps(String where) {
    return report().path("locality").path(where).asLong();
  }

  @Test
  @Order(1)
  void mapsAwayFromTheirInputFindItBroughtAlsoAfterARestartOfTheResourceManagerInTheMiddle() {
    count("first");
    assertThat(mapsWhoseMasterWasInTime())
        .as("maps that had no container when the master first told of them")
        .isBetween(BLOCKS / 2L, (long) BLOCKS);
    untilMoreFindTheirInput("ready", 0);

    Bringing interrupted = whileBlocksAreBrought("interrupted", flow -> true);
    Host master = running.cluster().plan().firstMaster();
    running.cluster().daemons().kill(master, Daemon.RESOURCEMANAGER);
    running.cluster().daemons().start(master, Daemon.RESOURCEMANAGER);
    running.awaitWorkers();
    awaitDaemons();
    interrupted.job().join();
    assertThat(checksum(interrupted.output())).isEqualTo(checksum("first"));

    String output = untilMoreFindTheirInput("restarted", maps("ready"));
    assertThat(checksum(output)).isEqualTo(checksum("first"));
    await("maps that read what was brought, whatever their jobs say of it")
        .atMost(LONGEST)
        .until(() -> served() > 0);
    passed++;
  }

  @Test
  @Order(2)
  void aJobGoesOnAndWritesTheSameWhenADaemonDiesThatBringsItsBlocks() {
    count("calm");
    OneContainerHosts.forgetBlocks(running);
    awaitDaemons();

    Bringing bereft;
    PrefetchLook after;
    try {
      OneContainerHosts.slowDown(running, SLOW);
      bereft =
          whileBlocksAreBrought(
              "bereft",
              flow ->
                  OneContainerHosts.WITHOUT_INPUT.contains(flow.to())
                      && flow.isInItsFirstQuarter(BLOCK_BYTES));
      running.faults().kill(bereft.host(), Daemon.DATANODE);
      after = look();
      assertThat(bereft.job()).as("a job in the middle").isNotDone();
    } finally {
      OneContainerHosts.speedUp(running);
    }
    List<String> dead = List.of(bereft.host());
    assertThat(after.comeTo(dead) - bereft.seen().comeTo(dead))
        .as("those that still came to %s, of %s: %s", dead, bereft.seen(), after)
        .isLessThan(bereft.seen().onTheirWayTo(dead));
    bereft.job().join();

    running.faults().restart(bereft.host(), Daemon.DATANODE);
    awaitDaemons();
    assertThat(checksum(bereft.output())).isEqualTo(checksum("calm"));
    passed++;
  }

  private long mapsWhoseMasterWasInTime() {
    return Stream.of("local", "ready", "partly", "away", "confirmedReady", "confirmedPartly")
        .mapToLong(this::maps)
        .sum();
  }

  /**
   * Runs jobs until more maps than before found all of their input brought; no single job can
   * promise that.
   *
   * @return what the last one wrote to; {@code first} if none was needed
   */
  private String untilMoreFindTheirInput(String name, long before) {
    String output = "first";
    for (int attempt = 1; attempt <= MOST_JOBS && maps("ready") <= before; attempt++) {
      output = name + "-" + attempt;
      count(output);
    }
    assertThat(maps("ready")).as("%s", report()).isGreaterThan(before);
    return output;
  }

  /**
   * A job that runs, and a block of it that is being brought.
   *
   * @param output what the job writes to
   * @param seen when the block was on its way
   * @param host to which it was
   */
  private record Bringing(
      CompletableFuture<Void> job, String output, PrefetchLook seen, String host) {}

  /**
   * A job with such a block on its way. Which maps run where, and whether they are foreseen in
   * time, no job can promise: after one that ends without, another begins.
   */
  private Bringing whileBlocksAreBrought(String name, Predicate<Flow> block) {
    for (int attempt = 1; attempt <= MOST_JOBS; attempt++) {
      String output = name + "-" + attempt;
      CompletableFuture<Void> job = CompletableFuture.runAsync(() -> count(output));
      // A block may be on its way for half a second, too short to be looked at twice.
      PrefetchLook seen =
          await()
              .atMost(OneContainerHosts.LONGEST_JOB)
              .until(this::look, look -> receiver(look, block).isPresent() || job.isDone());
      Optional<String> receiver = receiver(seen, block);
      if (receiver.isPresent()) {
        return new Bringing(job, output, seen, receiver.get());
      }
      job.join();
    }
    throw new AssertionError("no block was brought: " + report());
  }

  private static Optional<String> receiver(PrefetchLook look, Predicate<Flow> block) {
    return look.flows().filter(flow -> !flow.reading()).filter(block).map(Flow::to).findFirst();
  }

  private String checksum(String directory) {
    return OneContainerHosts.hadoop(running, "m1", "hdfs", "dfs", "-cat", directory + "/part-r-*");
  }
}
