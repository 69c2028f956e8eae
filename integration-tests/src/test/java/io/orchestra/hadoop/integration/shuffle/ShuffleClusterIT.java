package io.orchestra.hadoop.integration.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.integration.shuffle.ShuffleCluster.Finished;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.network.Rate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Unchanged jobs on a stock cluster: with weighted shuffles they write what they write with
 * Hadoop's, undisturbed and disturbed.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("long")
final class ShuffleClusterIT {
  private static final String PLUGIN = "mapreduce.job.reduce.shuffle.consumer.plugin.class=";
  private static final String STOCK = PLUGIN + "org.apache.hadoop.mapreduce.task.reduce.Shuffle";
  private static final String WEIGHTED = PLUGIN + "io.orchestra.hadoop.shuffle.WeightedShuffle";

  /** There is nothing to fetch: such jobs have Hadoop's shuffle, whatever is named. */
  private static final List<String> ONE_PROCESS = List.of("mapreduce.job.ubertask.enable=true");

  /** Three maps. */
  private static final String SEVERAL_PAIRS =
      "mapreduce.input.fileinputformat.split.maxsize=100000";

  private static final int ROWS = 480_000;
  private static final int ROW_BYTES = 100;
  private static final int MAPS = 4;
  private static final Duration LONGEST = Duration.ofMinutes(3);
  private static final Duration CUT = Duration.ofSeconds(20);

  private static final ExecutorService CLIENTS = Executors.newCachedThreadPool();
  private static ShuffleCluster cluster;
  private static Map<String, String> sorted;
  private static boolean failed;

  @BeforeAll
  static void makeInput() throws IOException {
    cluster = ShuffleCluster.up();
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
    CLIENTS.shutdownNow();
    if (cluster != null) {
      if (!failed) {
        cluster.succeeded();
      }
      cluster.close();
    }
  }

  /** Settings of a job by which one reducer gets all, in ranges. */
  private static List<String> ranges(String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                WEIGHTED,
                "mapreduce.job.reduces=1",
                "orchestra.shuffle.gate=always",
                // Outputs of megabytes do not fit memory.
                "mapreduce.reduce.shuffle.memory.limit.percent=0.005"));
    settings.addAll(List.of(more));
    return settings;
  }

  private static Future<Finished> begin(
      String program, List<String> settings, String... arguments) {
    return CLIENTS.submit(() -> cluster.examples(program, settings, arguments));
  }

  private static Finished end(Future<Finished> job) throws InterruptedException {
    try {
      return job.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      failed = true;
      throw new AssertionError("a job failed", e.getCause());
    } catch (TimeoutException e) {
      failed = true;
      throw new AssertionError("a job does not end", e);
    }
  }

  @Test
  @Order(1)
  void jobsWriteWhatTheyWriteWithHadoopsShuffle() throws InterruptedException {
    Future<Finished> rows =
        begin(
            "terasort",
            ranges("mapreduce.job.reduce.slowstart.completedmaps=1.0"),
            "/user/alice/rows",
            "/user/alice/sorted");
    Future<Finished> words =
        begin(
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
        begin(
            "wordcount", with(ONE_PROCESS, WEIGHTED), "/user/alice/text", "/user/alice/uber-words");
    Future<Finished> stockPairs =
        begin(
            "secondarysort",
            with(ONE_PROCESS, STOCK, SEVERAL_PAIRS),
            "/user/alice/pairs",
            "/user/alice/stock-pairs");
    Future<Finished> pairs =
        begin(
            "secondarysort",
            List.of(WEIGHTED, SEVERAL_PAIRS),
            "/user/alice/pairs",
            "/user/alice/sorted-pairs");

    verifyRows(end(rows));
    verifyWords(end(words), end(uber));
    verifyPairs(end(pairs), end(stockPairs));
  }

  @Test
  @Order(2)
  void aJobWithoutRecordsWritesTheSame() throws InterruptedException {
    Future<Finished> nothing =
        begin("wordcount", ranges(), "/user/alice/nothing", "/user/alice/no-words");
    Future<Finished> stockNothing =
        begin(
            "wordcount",
            with(ONE_PROCESS, STOCK),
            "/user/alice/nothing",
            "/user/alice/stock-no-words");

    assertThat(cluster.explanations(end(nothing).id()))
        .singleElement()
        .asString()
        .contains(" 1 map outputs ");
    end(stockNothing);
    assertThat(cluster.sums("/user/alice/no-words"))
        .isEqualTo(cluster.sums("/user/alice/stock-no-words"))
        .hasSize(1);
  }

  /** They come in ranges; that the output is right is seen when Hadoop's shuffle makes it, too. */
  private static void verifyRows(Finished job) {
    sorted = cluster.sums("/user/alice/sorted");
    assertThat(sorted).hasSize(1);
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
                .formatted(cluster.outputs(ShuffleCluster.STOCK_HOST, job.id()).isEmpty() ? 0 : 1))
        .doesNotContain(" 0 fetched in ranges", " 0 of ");
    assertThat(cluster.counted("RangesSent")).isPositive();
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

  private static List<String> with(List<String> settings, String... more) {
    List<String> all = new ArrayList<>(settings);
    all.addAll(List.of(more));
    return all;
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

  /** The id of a job whose client runs, as soon as it has begun. */
  private static String begun(Optional<String> before) {
    await().atMost(LONGEST).until(() -> !cluster.lastJob().equals(before));
    return cluster.lastJob().orElseThrow();
  }

  @Test
  @Order(4)
  void aServiceThatRestartsACutLinkAndASlowHostCostTimeOnly() throws InterruptedException {
    Optional<String> last = cluster.lastJob();
    Future<Finished> job =
        begin(
            "terasort",
            ranges("mapreduce.job.reduce.slowstart.completedmaps=1.0"),
            "/user/alice/rows",
            "/user/alice/disturbed");
    String id = begun(last);
    setRates("20mbit");
    await().atMost(LONGEST).until(() -> cluster.isServed(id));
    List<String> remote = remoteHolders(id);
    String restarted =
        remote.stream()
            .filter(host -> !host.equals(ShuffleCluster.STOCK_HOST))
            .findFirst()
            .orElseThrow();
    assertNobodyIsToldOf(id);
    String cut = remote.stream().filter(host -> !host.equals(restarted)).findFirst().orElseThrow();
    cluster.faults().rate(restarted, Rate.parse("5mbit"));
    Instant healed = Instant.now().plus(CUT);
    cluster.faults().cut(cut);
    cluster.faults().restart(restarted, Daemon.NODEMANAGER);
    await().atMost(LONGEST).until(() -> Instant.now().isAfter(healed));
    assertThat(job.isDone()).as("the job ended before the link was back").isFalse();
    cluster.faults().heal(cut);
    setRates("200mbit");

    assertThat(end(job).counter("Launched map tasks")).isEqualTo(MAPS);
    assertThat(cluster.sums("/user/alice/disturbed")).isEqualTo(sorted);
    assertThat(cluster.logged(id, "is fetched whole, since a range failed")).isNotEmpty();
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
  void lostAndDamagedOutputsAreMadeAnewAndAKilledReducerIsReplaced() throws InterruptedException {
    String[] impatient = {
      "mapreduce.job.reduces=1",
      "mapreduce.job.reduce.slowstart.completedmaps=1.0",
      // Otherwise it takes long until a reducer reports, and until the master believes.
      "mapreduce.reduce.shuffle.maxfetchfailures=1",
      "mapreduce.reduce.shuffle.max-fetch-failures-notifications=1",
      "mapreduce.reduce.shuffle.fetch.retry.timeout-ms=2000",
      "mapreduce.task.progress-report.interval=1000"
    };
    Optional<String> last = cluster.lastJob();
    Future<Finished> weighted =
        begin("terasort", ranges(impatient), "/user/alice/rows", "/user/alice/repaired");
    String weightedId = begun(last);
    Future<Finished> stock =
        begin(
            "terasort",
            with(List.of(STOCK), impatient),
            "/user/alice/rows",
            "/user/alice/repaired-stock");
    String stockId = begun(Optional.of(weightedId));
    List<HarmedOutputs> harmed =
        List.of(
            new HarmedOutputs(cluster, weightedId, ROWS * ROW_BYTES / 16),
            new HarmedOutputs(cluster, stockId, ROWS * ROW_BYTES / 16));
    await()
        .atMost(LONGEST)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> harmed.stream().filter(HarmedOutputs::harm).count() == 2);
    for (String id : List.of(weightedId, stockId)) {
      await().atMost(LONGEST).until(() -> cluster.killReducer(id));
    }

    for (Finished finished : List.of(end(weighted), end(stock))) {
      // More if one gives up: Hadoop's reducers do when half of what they try fails.
      assertThat(finished.counter("Launched reduce tasks")).isGreaterThanOrEqualTo(2);
      // More if others are beside the lost one: a request fails with all that it names.
      assertThat(finished.counter("Launched map tasks")).isBetween(MAPS + 2L, 2L * MAPS);
    }
    assertThat(cluster.sums("/user/alice/repaired")).isEqualTo(sorted);
    assertThat(cluster.sums("/user/alice/repaired-stock")).isEqualTo(sorted);
  }
}
