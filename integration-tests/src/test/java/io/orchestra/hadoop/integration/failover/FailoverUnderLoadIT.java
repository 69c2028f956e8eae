package io.orchestra.hadoop.integration.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.integration.EmulatedHosts;
import io.orchestra.hadoop.integration.LiveDoctor;
import io.orchestra.hadoop.integration.OneContainerHosts;
import io.orchestra.hadoop.integration.PrefetchLook;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.cluster.Health;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.cluster.WebClient;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.network.Rate;
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
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * All plugins on a cluster with two NameNodes and two ResourceManagers, which change places while
 * stock jobs run: the NameNodes alone, then both by command, then since the active ones have
 * crashed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("long")
@Tag("operations")
final class FailoverUnderLoadIT {
  private static final int TEMPORARY_REDIRECT = 307;
  private static final int BLOCKS = 20;
  private static final int BLOCK_BYTES = 4 << 20;
  private static final int BALLAST_BYTES = 10 << 20;
  private static final Duration LONGEST = Duration.ofMinutes(3);

  private static final int MOST_JOBS = 3;
  private static final int TESTS = 3;

  /**
   * At which a block is on its way for half a minute, longer than a NameNode needs to become
   * active. At a quarter of it answers to daemons would wait for eight seconds in the queue of the
   * link, which is no shorter then, and copies are given up of which nothing is heard for five.
   */
  private static final Rate SLOW = Rate.parse("1mbit");

  /** Or a reduce takes one of the hosts without input, and the application master the other. */
  private static final String REDUCE_LAST = "-Dmapreduce.job.reduce.slowstart.completedmaps=1";

  private RunningCluster running;
  private boolean isCalmCounted;
  private int succeeded;

  @BeforeAll
  void start() throws IOException {
    EmulatedHosts.assumePossible();
    running =
        OneContainerHosts.start(
            "failover",
            true,
            List.of(Plugin.values()),
            new Setting(Site.MAPRED, "mapreduce.client.submit.file.replication", "1"));
    awaitPlugins("m1");
    OneContainerHosts.writeInput(running, BLOCKS, BLOCK_BYTES);
    byte[] ballast = new byte[BALLAST_BYTES];
    new Random(1).nextBytes(ballast);
    Files.write(running.cluster().directory().host("m1").resolve("tmp/ballast"), ballast);
  }

  @AfterAll
  void stop() {
    if (running != null) {
      if (succeeded == TESTS) {
        running.succeeded();
      }
      running.close();
    }
  }

  /** The first one: what jobs have read is in the caches of their hosts from then on. */
  @Test
  @Order(1)
  void blocksKeepComingWhenTheNameNodeAloneMovesWhileSomeAreOnTheirWay() {
    String output = "alone";
    Optional<Move> move = whileTheNameNodeMoves(output);
    // No single job can promise that a block is on its way, nor that others wait behind it.
    for (int more = 1; more < MOST_JOBS && !move.map(Move::isEarly).orElse(false); more++) {
      OneContainerHosts.forgetBlocks(running);
      awaitPlugins("m1");
      output = "alone-" + more;
      move = whileTheNameNodeMoves(output);
    }
    assertThat(move).as("a job with a block on its way").isPresent();
    PrefetchLook before = move.orElseThrow().before();
    PrefetchLook after = move.orElseThrow().after();
    PrefetchLook end = move.orElseThrow().end();
    assertThat(
            after.comeTo(OneContainerHosts.WITHOUT_INPUT)
                - before.comeTo(OneContainerHosts.WITHOUT_INPUT))
        .as("those that came before the NameNode had moved, of %s: %s", before, after)
        .isLessThan(before.onTheirWayTo(OneContainerHosts.WITHOUT_INPUT));
    assertThat(end.begunInAll())
        .as("blocks begun, also after the NameNode had moved")
        .isGreaterThan(after.begunInAll());
    assertThat(end.comeInAll())
        .as("blocks that came, also after the NameNode had moved")
        .isGreaterThan(after.comeInAll());
    assertThat(text(output)).isEqualTo(calm());
    succeeded++;
  }

  /**
   * What there was to see of a job.
   *
   * @param before with a block on its way
   * @param after the NameNode had moved
   * @param end of the job
   */
  private record Move(PrefetchLook before, PrefetchLook after, PrefetchLook end) {
    /** Whether blocks were left to begin, and to come, when the NameNode had moved. */
    private boolean isEarly() {
      return end.begunInAll() > after.begunInAll() && end.comeInAll() > after.comeInAll();
    }
  }

  /**
   * Runs a job, and moves the NameNode once a block is on its way; in the end it is where it was.
   *
   * @return empty if the job has ended before any block was
   */
  private Optional<Move> whileTheNameNodeMoves(String output) {
    CompletableFuture<Void> job = jobInTheMiddle(output, "m1", REDUCE_LAST);
    try {
      PrefetchLook before;
      PrefetchLook after;
      try {
        OneContainerHosts.slowDown(running, SLOW);
        before =
            await("a block on its way")
                .atMost(OneContainerHosts.LONGEST_JOB)
                .ignoreExceptions()
                .until(() -> look("m1"), seen -> isBringing(seen) || job.isDone());
        if (job.isDone()) {
          job.join();
          return Optional.empty();
        }
        running.faults().failoverOfNameNode(Progress.onStandardError());
        after = look("m1");
      } finally {
        OneContainerHosts.speedUp(running);
      }
      job.orTimeout(OneContainerHosts.LONGEST_JOB.toSeconds(), TimeUnit.SECONDS).join();
      return Optional.of(new Move(before, after, look("m1")));
    } finally {
      moveNameNodeBack();
    }
  }

  /** Beside the ResourceManager, or the next failover would part them. */
  private void moveNameNodeBack() {
    boolean isBack =
        new Health(running.cluster())
            .activeNameNode()
            .filter(master -> master.name().equals("m1"))
            .isPresent();
    if (!isBack) {
      running.faults().failoverOfNameNode(Progress.onStandardError());
    }
  }

  @Test
  @Order(2)
  void aJobOutlivesBothMastersAndAllPluginsServeTheNextOne() throws IOException {
    String calm = calm();
    CompletableFuture<Void> job = jobInTheMiddle("moved", "m1");
    running.faults().failover(Progress.onStandardError());
    assertThat(progressOfJobs("m2")).as("jobs that outlive the failover").hasSize(1);
    job.orTimeout(OneContainerHosts.LONGEST_JOB.toSeconds(), TimeUnit.SECONDS).join();
    // The second ResourceManager has begun to count with the job that came to it.
    assertThat(broughtAhead("m2")).isPositive();
    assertThat(look("m2").begunInAll()).as("blocks begun after the failover").isPositive();

    awaitPlugins("m2");
    assertThat(running.cluster().web().status("http://m1:8088/orchestra/prefetch"))
        .as("the standby sends whoever asks to the active one")
        .isEqualTo(TEMPORARY_REDIRECT);
    await()
        .atMost(LONGEST)
        .untilAsserted(
            () ->
                assertThat(LiveDoctor.ask(running.cluster()))
                    .contains("ok       hdfs-placement: the NameNode http://m1:9870 hears")
                    .contains("ok       hdfs-placement: the NameNode http://m2:9870 hears")
                    .contains("ok       broadcast-cache: the tracker of http://m1:9870 knows")
                    .contains("ok       broadcast-cache: the tracker of http://m2:9870 knows")
                    .contains("ok       mapreduce-shuffle: weighted shuffle service on all")
                    .contains(
                        "ok       prefetch-scheduler: the ResourceManager http://m2:8088 is polled by all")
                    .doesNotContain("problem  ", "unknown  "));
    assertThat(text("moved")).isEqualTo(calm);
    assertAllServe("after", "m2");
    assertThat(text("after")).isEqualTo(calm);
    succeeded++;
  }

  @Test
  @Order(3)
  void aJobOutlivesMastersThatCrash() throws IOException {
    count("before");
    String active = active();
    String other = active.equals("m1") ? "m2" : "m1";
    CompletableFuture<Void> job = jobInTheMiddle("crashed", active);
    running.faults().kill(active, Daemon.NAMENODE);
    running.faults().kill(active, Daemon.RESOURCEMANAGER);
    running.faults().failover(Progress.onStandardError());
    assertThat(progressOfJobs(other)).as("jobs that outlive the crash").hasSize(1);
    job.orTimeout(OneContainerHosts.LONGEST_JOB.toSeconds(), TimeUnit.SECONDS).join();
    assertThat(look(other).begunInAll()).as("blocks begun after the crash").isPositive();

    awaitPlugins(other);
    assertThat(text("crashed")).isEqualTo(text("before"));
    assertAllServe("afterwards", other);
    assertThat(text("afterwards")).isEqualTo(text("before"));
    succeeded++;
  }

  /** What a job writes that nothing disturbs, which one has done then. */
  private String calm() {
    if (!isCalmCounted) {
      count("calm");
      isCalmCounted = true;
    }
    return text("calm");
  }

  private static boolean isBringing(PrefetchLook look) {
    return look.flows()
        .filter(flow -> OneContainerHosts.WITHOUT_INPUT.contains(flow.to()))
        .anyMatch(flow -> flow.isInItsFirstQuarter(BLOCK_BYTES));
  }

  /** Runs a job, for which each plugin works. */
  private void assertAllServe(String output, String master) {
    long picked = placedByNetwork(master);
    long swarms = swarms();
    long sizes = sizes();
    long brought = broughtAhead(master);
    count(output);
    // No single job can promise that something waits for it.
    for (int more = 1; more < MOST_JOBS && broughtAhead(master) <= brought; more++) {
      count(output + "-" + more);
    }
    assertThat(broughtAhead(master)).isGreaterThan(brought);
    assertThat(placedByNetwork(master)).isGreaterThan(picked);
    await()
        .atMost(LONGEST)
        .untilAsserted(
            () -> {
              assertThat(swarms()).isGreaterThan(swarms);
              assertThat(sizes()).isGreaterThan(sizes);
            });
  }

  private long swarms() {
    return onWorkers(Daemon.DATANODE, "DataNode", "OrchestraSwarmPeer", "SwarmsCompleted");
  }

  private long sizes() {
    return onWorkers(Daemon.NODEMANAGER, "NodeManager", "OrchestraShuffleServer", "SizesAnswered");
  }

  private long placedByNetwork(String master) {
    return report("http://%s:9870/orchestra/placement".formatted(master))
        .path("picks")
        .path("network")
        .asLong();
  }

  /** Who does not send others on. */
  private String active() {
    int first = running.cluster().web().status("http://m1:8088/orchestra/prefetch");
    return first == TEMPORARY_REDIRECT ? "m2" : "m1";
  }

  private CompletableFuture<Void> jobInTheMiddle(String output, String master, String... options) {
    CompletableFuture<Void> job = CompletableFuture.runAsync(() -> count(output, options));
    await()
        .atMost(OneContainerHosts.LONGEST_JOB)
        .ignoreExceptions()
        .until(() -> job.isDone() || progressOfJobs(master).stream().anyMatch(at -> at > 10));
    assertThat(job).as("a job in the middle").isNotDone();
    return job;
  }

  /** Maps whose input was brought, or some of it, since a ResourceManager began to count. */
  private long broughtAhead(String master) {
    JsonNode locality = look(master).page().path("locality");
    return locality.path("ready").asLong() + locality.path("partly").asLong();
  }

  /** Returns once a master's trackers and coordinator know all workers. */
  private void awaitPlugins(String master) {
    await()
        .atMost(LONGEST)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              assertThat(report("http://" + master + ":9870/orchestra/broadcast").path("peers"))
                  .hasSize(OneContainerHosts.WORKERS);
              assertThat(report("http://" + master + ":8088/orchestra/prefetch").path("daemons"))
                  .hasSize(OneContainerHosts.WORKERS);
            });
  }

  private PrefetchLook look(String master) {
    return new PrefetchLook(report("http://%s:8088/orchestra/prefetch".formatted(master)));
  }

  private JsonNode report(String url) {
    return running
        .cluster()
        .web()
        .json(url)
        .orElseThrow(() -> new AssertionError("no report from " + url));
  }

  /** Of the applications that have not ended, as a ResourceManager knows them, percent. */
  private List<Double> progressOfJobs(String master) {
    List<Double> progress = new ArrayList<>();
    for (JsonNode app :
        report("http://" + master + ":8088/ws/v1/cluster/apps?states=ACCEPTED,RUNNING")
            .findPath("app")) {
      progress.add(app.path("progress").asDouble());
    }
    return progress;
  }

  /** The sum of a metric of one daemon on each worker. */
  private long onWorkers(Daemon daemon, String service, String source, String metric) {
    WebClient web = running.cluster().web();
    return running.cluster().plan().workers().stream()
        .map(host -> running.cluster().webAddress(host, daemon))
        .map(
            address ->
                web.bean(address, service + ",name=" + source)
                    .orElseThrow(() -> new AssertionError("no answer from " + address)))
        .mapToLong(bean -> bean.path(metric).asLong())
        .sum();
  }

  private void count(String output, String... options) {
    List<String> words = new ArrayList<>(List.of("jar", "examples", "wordcount"));
    words.addAll(List.of(options));
    words.addAll(List.of("-files", "/tmp/ballast", "input/*", output));
    String unusedOutput = OneContainerHosts.hadoop(running, "m1", words.toArray(String[]::new));
  }

  private String text(String directory) {
    return OneContainerHosts.hadoop(running, "m1", "hdfs", "dfs", "-cat", directory + "/part-r-*");
  }
}
