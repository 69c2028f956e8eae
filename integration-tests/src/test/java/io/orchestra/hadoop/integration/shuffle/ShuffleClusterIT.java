package io.orchestra.hadoop.integration.shuffle;

import static io.orchestra.hadoop.integration.shuffle.ShuffleJobs.LONGEST;
import static io.orchestra.hadoop.integration.shuffle.ShuffleJobs.SIZES_ARE_AWAITED;
import static io.orchestra.hadoop.integration.shuffle.ShuffleJobs.STOCK;
import static io.orchestra.hadoop.integration.shuffle.ShuffleJobs.WEIGHTED;
import static io.orchestra.hadoop.integration.shuffle.ShuffleJobs.ranges;
import static io.orchestra.hadoop.integration.shuffle.ShuffleJobs.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.collect.Iterables;
import io.orchestra.hadoop.integration.shuffle.ShuffleCluster.Finished;
import io.orchestra.hadoop.integration.shuffle.ShuffleJobs.Running;
import io.orchestra.hadoop.testbed.network.Rate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Unchanged jobs on a stock cluster: with weighted shuffles they write what they write with
 * Hadoop's, undisturbed and disturbed.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("long")
final class ShuffleClusterIT {
  /** There is nothing to fetch: such jobs have Hadoop's shuffle, whatever is named. */
  private static final List<String> ONE_PROCESS = List.of("mapreduce.job.ubertask.enable=true");

  /** Three maps. */
  private static final String SEVERAL_PAIRS =
      "mapreduce.input.fileinputformat.split.maxsize=100000";

  /** Of this much memory a host has room for one map, which is the one whose input it has. */
  private static final String ONE_MAP_ON_A_HOST = "mapreduce.map.memory.mb=1280";

  private static final int ROWS = 640_000;
  private static final int ROW_BYTES = 100;
  private static final int MAPS = 4;
  private static final Duration CUT = Duration.ofSeconds(20);

  private static ShuffleCluster cluster;
  private static ShuffleJobs jobs;
  private static String sorted;
  private static boolean failed;

  @RegisterExtension
  static final AfterTestExecutionCallback NOTES_FAILURES =
      context -> failed |= context.getExecutionException().isPresent();

  @BeforeAll
  static void makeInput() throws IOException {
    cluster = ShuffleCluster.up();
    jobs = new ShuffleJobs(cluster);
    Random random = new Random(7);
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < 80_000; line++) {
      text.append("w%d w%d the\n".formatted(random.nextInt(5000), random.nextInt(50)));
    }
    put(text.toString(), "/user/alice/text/0");
    StringBuilder pairs = new StringBuilder();
    for (int line = 0; line < 20_000; line++) {
      pairs.append("%d %d\n".formatted(random.nextInt(500), random.nextInt()));
    }
    put(pairs.toString(), "/user/alice/pairs/0");
    put("", "/user/alice/nothing/0");
    for (String worker : cluster.workers()) {
      byte[] rows = new byte[ROWS / MAPS * ROW_BYTES];
      random.nextBytes(rows);
      cluster.put(rows, "/user/alice/rows/" + worker, worker);
    }
    cluster.stockService();
  }

  private static void put(String text, String path) throws IOException {
    cluster.put(text.getBytes(StandardCharsets.US_ASCII), path, cluster.workers().get(0));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      jobs.close();
      if (!failed) {
        cluster.succeeded();
      }
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void jobsWriteWhatTheyWriteWithHadoopsShuffle() throws InterruptedException {
    Future<Finished> rows =
        jobs.begin(
            "terasort",
            ranges("mapreduce.job.reduce.slowstart.completedmaps=1.0"),
            "/user/alice/rows",
            "/user/alice/sorted");
    Future<Finished> words =
        jobs.begin(
            "wordcount",
            List.of(
                WEIGHTED,
                "orchestra.shuffle.gate=always",
                "mapreduce.job.reduces=1",
                "mapreduce.map.output.compress=true",
                "mapreduce.job.encrypted-intermediate-data=true",
                // Three waves of one map.
                "mapreduce.job.reduce.slowstart.completedmaps=0",
                "mapreduce.input.fileinputformat.split.maxsize=400000",
                "mapreduce.job.running.map.limit=1"),
            "/user/alice/text",
            "/user/alice/words");
    Future<Finished> uber =
        jobs.begin(
            "wordcount", with(ONE_PROCESS, WEIGHTED), "/user/alice/text", "/user/alice/uber-words");
    Future<Finished> stockPairs =
        jobs.begin(
            "secondarysort",
            with(ONE_PROCESS, STOCK, SEVERAL_PAIRS),
            "/user/alice/pairs",
            "/user/alice/stock-pairs");
    Future<Finished> pairs =
        jobs.begin(
            "secondarysort",
            List.of(WEIGHTED, SEVERAL_PAIRS),
            "/user/alice/pairs",
            "/user/alice/sorted-pairs");

    verifyRows(jobs.end(rows));
    verifyWords(jobs.end(words), jobs.end(uber));
    verifyPairs(jobs.end(pairs), jobs.end(stockPairs));
  }

  @Test
  @Order(2)
  void aJobWithoutRecordsWritesTheSame() throws InterruptedException {
    Future<Finished> nothing =
        jobs.begin("wordcount", ranges(), "/user/alice/nothing", "/user/alice/no-words");
    Future<Finished> stockNothing =
        jobs.begin(
            "wordcount",
            with(ONE_PROCESS, STOCK),
            "/user/alice/nothing",
            "/user/alice/stock-no-words");

    assertThat(cluster.explanations(jobs.end(nothing).id()))
        .singleElement()
        .asString()
        .contains(" 1 map outputs ");
    jobs.end(stockNothing);
    assertThat(cluster.sums("/user/alice/no-words"))
        .isEqualTo(cluster.sums("/user/alice/stock-no-words"))
        .hasSize(1);
  }

  /** They come in ranges; that the output is right is seen when Hadoop's shuffle makes it, too. */
  private static void verifyRows(Finished job) {
    assertThat(cluster.sums("/user/alice/sorted")).hasSize(1);
    sorted = cluster.sum("/user/alice/sorted");
    // Each with two lengths of Hadoop's Text and two of its files, which have six bytes at their
    // end.
    assertThat(job.counter("Reduce shuffle bytes")).isEqualTo(ROWS * (ROW_BYTES + 4) + MAPS * 6);
    assertThat(job.counter("Reduce input records")).isEqualTo(ROWS);
    assertThat(job.counter("Shuffled Maps ")).isEqualTo(MAPS);
    assertThat(job.counter("Failed Shuffles")).isZero();
    assertThat(cluster.explanations(job.id()))
        .singleElement()
        .asString()
        .contains(" %d map outputs ".formatted(MAPS))
        .contains(
            " %d hosts tell no sizes;"
                .formatted(cluster.hasMap(ShuffleCluster.STOCK_HOST, job.id()) ? 1 : 0))
        .doesNotContain(" 0 fetched in ranges", " 0 of ");
    // Figures are some seconds old.
    await().atMost(LONGEST).until(() -> cluster.counted("RangesSent") > 0);
  }

  /** In waves, with a combiner, compressed, and with encrypted spills. */
  private static void verifyWords(Finished job, Finished inOneProcess) {
    assertThat(inOneProcess.report()).contains("uber mode : true");
    assertThat(cluster.explanations(inOneProcess.id())).isEmpty();
    assertThat(cluster.sums("/user/alice/words"))
        .isEqualTo(cluster.sums("/user/alice/uber-words"))
        .hasSize(1);
    assertThat(cluster.explanations(job.id()))
        .singleElement()
        .asString()
        .contains(" 3 map outputs ");
  }

  private static void verifyPairs(Finished job, Finished stock) {
    assertThat(cluster.sums("/user/alice/sorted-pairs"))
        .isEqualTo(cluster.sums("/user/alice/stock-pairs"))
        .hasSize(1);
    assertThat(cluster.explanations(job.id()))
        .singleElement()
        .asString()
        .contains(" 3 map outputs ");
    assertThat(cluster.explanations(stock.id())).isEmpty();
  }

  @Test
  @Order(3)
  void nobodyIsToldOfAJobThatIsNotKnown() {
    assertNobodyIsToldOf("1_0001");
  }

  private static void assertNobodyIsToldOf(String job) {
    for (String worker : cluster.workers()) {
      assertThat(askForSizes(worker, job))
          .as(worker)
          // Hadoop's own misses the parameter that names a map.
          .isEqualTo(worker.equals(ShuffleCluster.STOCK_HOST) ? "400" : "401");
    }
  }

  /** Without the job's token. */
  private static String askForSizes(String worker, String job) {
    return cluster.curl(
        "--write-out",
        "%{http_code}",
        "--output",
        "/dev/null",
        "--header",
        "name: mapreduce",
        "--header",
        "version: 1.0.0",
        "--header",
        "UrlHash: bm90IHNpZ25lZA==",
        "http://%s:13562/mapOutput?job=job_%s&reduce=0&orchestra=sizes&outputs=attempt_%s_m_000000_0"
            .formatted(worker, job, job));
  }

  @Test
  @Order(4)
  void aServiceThatRestartsACutLinkAndASlowHostCostTimeOnly() throws InterruptedException {
    // The second reducer begins when the first has ended.
    Running job =
        jobs.sort(
            List.of(
                WEIGHTED,
                "mapreduce.job.reduces=2",
                "mapreduce.job.running.reduce.limit=1",
                "orchestra.shuffle.gate=always",
                SIZES_ARE_AWAITED,
                "mapreduce.reduce.shuffle.memory.limit.percent=0.005",
                // However long the service takes to start, no map is made anew.
                "mapreduce.reduce.shuffle.max-fetch-failures-notifications=20",
                ONE_MAP_ON_A_HOST,
                "mapreduce.job.reduce.slowstart.completedmaps=1.0"),
            "/user/alice/disturbed");
    setRates("4mbit");
    await().atMost(LONGEST).until(() -> cluster.isServed(job.id()));
    List<String> remote = remoteHolders(job.id());
    String restarted =
        remote.stream()
            .filter(host -> !host.equals(ShuffleCluster.STOCK_HOST))
            .findFirst()
            .orElseThrow();
    String cut = remote.stream().filter(host -> !host.equals(restarted)).findFirst().orElseThrow();
    await().atMost(LONGEST).until(() -> cluster.ranges(restarted, job.id()) > 0);
    String served =
        Iterables.getOnlyElement(cluster.outputs(restarted, job.id()))
            .getParent()
            .getFileName()
            .toString();
    try {
      cluster.faults().rate(restarted, Rate.parse("2mbit"));
      Instant healed = Instant.now().plus(CUT);
      cluster.faults().cut(cut);
      cluster.bounceNodeManager(restarted);
      await().atMost(LONGEST).until(() -> Instant.now().isAfter(healed));
      assertThat(job.end().isDone()).as("the job ended before the link was back").isFalse();
      cluster.faults().heal(cut);
      // One of them has just begun to listen.
      await()
          .atMost(LONGEST)
          .ignoreExceptions()
          .untilAsserted(() -> assertNobodyIsToldOf(job.id()));
    } finally {
      cluster.faults().heal(cut);
      setRates("200mbit");
    }

    assertThat(jobs.end(job).counter("Launched map tasks")).isEqualTo(MAPS);
    assertThat(cluster.sum("/user/alice/disturbed")).isEqualTo(sorted);
    assertThat(cluster.logged(job.id(), served + " is fetched whole, since a range failed"))
        .as("it served when it was killed")
        .isNotEmpty();
    // It has forgotten what it served before it was killed.
    assertThat(cluster.ranges(restarted, job.id())).as("to the second reducer").isPositive();
    assertThat(cluster.explanations(job.id())).hasSize(2);
    // Of those who know the job; figures are some seconds old.
    await().atMost(LONGEST).until(() -> cluster.counted("RefusedForged") > 0);
  }

  private static void setRates(String rate) {
    cluster.workers().forEach(worker -> cluster.faults().rate(worker, Rate.parse(rate)));
  }

  /** Hosts of which a job's reducer needs the network to get outputs. */
  private static List<String> remoteHolders(String job) {
    return cluster.workers().stream()
        .filter(host -> !cluster.outputs(host, job).isEmpty() && !cluster.hasReducer(host, job))
        .toList();
  }

  @Test
  @Order(5)
  void lostAndDamagedOutputsAreMadeAnewAsWithHadoopsShuffle() throws InterruptedException {
    String[] impatient = {
      "mapreduce.job.reduces=1",
      "mapreduce.job.reduce.slowstart.completedmaps=1.0",
      ONE_MAP_ON_A_HOST,
      // Otherwise it takes long until a reducer reports, and until the master believes.
      "mapreduce.reduce.shuffle.maxfetchfailures=1",
      "mapreduce.reduce.shuffle.max-fetch-failures-notifications=1",
      "mapreduce.task.progress-report.interval=1000",
      // A reducer that fails often enough before it is told of a new output gives up.
      "mapreduce.reduce.shuffle.fetch.retry.enabled=false",
      "mapreduce.reduce.shuffle.retry-delay.max.ms=10000"
    };
    Finished weighted = harmed(ranges(impatient), "/user/alice/repaired");
    Finished stock = harmed(with(List.of(STOCK), impatient), "/user/alice/repaired-stock");

    assertThat(cluster.explanations(weighted.id()))
        .singleElement()
        .asString()
        .contains("attempt_" + weighted.id() + "_r_000000_0: ", " %d map outputs ".formatted(MAPS))
        .doesNotContain(" 0 fetched in ranges");
    assertThat(cluster.explanations(stock.id())).isEmpty();
    assertThat(stock.counter("Launched map tasks"))
        .isEqualTo(weighted.counter("Launched map tasks"));
  }

  /** A job that has to make two outputs anew. */
  private static Finished harmed(List<String> settings, String output) throws InterruptedException {
    Running job = jobs.sort(settings, output);
    HarmedOutputs outputs =
        new HarmedOutputs(cluster, job.id(), MAPS, (long) ROWS * ROW_BYTES / MAPS / 4);
    HarmedOutputs.Attempts harmed =
        await()
            .atMost(LONGEST)
            .pollInterval(Duration.ofMillis(50))
            .until(outputs::harm, Optional::isPresent)
            .orElseThrow();

    Finished finished = jobs.end(job);
    assertThat(finished.counter("Launched reduce tasks")).isEqualTo(1);
    assertThat(finished.counter("Launched map tasks")).isEqualTo(MAPS + 2);
    assertThat(cluster.sum(output)).isEqualTo(sorted);
    for (String attempt : List.of(harmed.deleted(), harmed.damaged())) {
      assertThat(cluster.logged(job.id(), "Reporting fetch failure for " + attempt)).isNotEmpty();
    }
    // Of the deleted one no size is told, so it does not come in ranges.
    assertThat(
            cluster.logged(job.id(), harmed.damaged() + " is fetched whole, since a range failed"))
        .hasSize(settings.contains(WEIGHTED) ? 1 : 0);
    return finished;
  }

  @Test
  @Order(6)
  void aReducerThatIsKilledInTheMiddleOfRangesIsReplacedAndLeavesNothing()
      throws InterruptedException {
    Running job =
        jobs.sort(
            ranges("mapreduce.job.reduce.slowstart.completedmaps=1.0"), "/user/alice/replaced");
    // So slowly that it is killed before all has come, also on a busy machine.
    setRates("10mbit");
    await()
        .atMost(LONGEST)
        .until(() -> cluster.ranges(job.id()) > 0 && cluster.holdsRanges(job.id()));
    cluster.killReducer(job.id());
    setRates("200mbit");

    Finished finished = jobs.end(job);
    assertThat(finished.counter("Launched reduce tasks")).isEqualTo(2);
    assertThat(finished.counter("Launched map tasks")).isEqualTo(MAPS);
    assertThat(cluster.sum("/user/alice/replaced")).isEqualTo(sorted);
    assertThat(cluster.explanations(job.id())).isEmpty();
    assertThat(cluster.logged(job.id(), "This reducer shuffles as stock: an earlier attempt"))
        .hasSize(1);
    await().atMost(LONGEST).until(() -> cluster.isForgotten(job.id()));
    assertThat(cluster.rangeFiles()).isEmpty();
  }
}
