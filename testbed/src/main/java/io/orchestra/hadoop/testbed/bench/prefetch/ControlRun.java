package io.orchestra.hadoop.testbed.bench.prefetch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.agent.PacedTextInputFormat;
import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.bench.cluster.EndedJob;
import io.orchestra.hadoop.testbed.bench.cluster.Submission;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.WebClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * The controlled experiment of FlexFetch (table III and figure 10). Scans and searches of five maps
 * run on one host, four maps at a time. All but the first of each have their input elsewhere, so
 * that four blocks have to come while four maps run. When the first four have ended a large scan,
 * whose maps have ended before, shuffles to the same host: three reduces, each from both hosts that
 * had its maps.
 *
 * <p>A block of 32 MiB takes 43 s if four share the link, and a map that has its input 60 s: blocks
 * need 72 % of the link to come in time. The large scan has eight maps instead of twenty.
 */
final class ControlRun {
  static final int BLOCK_BYTES = 32 << 20;
  private static final String MEAN = "mean job of bins 1 and 2 [s]";
  private static final String MEAN_MAP = "mean map of bins 1 and 2 [s]";
  private static final String SHUFFLE = "mean shuffle of the large job's reduces [s]";
  private static final String TITLE = "down to %s [Mbit/s]";
  private static final int SMALL_MAPS = 5;
  private static final int SMALL_JOBS = 4;
  private static final int LARGE_MAPS = 8;
  private static final int LARGE_KEPT_PERCENT = 85;
  private static final int MAP_SECONDS = 60;
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** Files that are read: small jobs read others than the large one. */
  static final int FILES = LARGE_MAPS + SMALL_JOBS * SMALL_MAPS;

  private final PrefetchTestbed testbed;
  private final Cluster cluster;
  private final ControlledHosts hosts;
  private Map<String, Integer> ended = Map.of();
  private long began;

  ControlRun(PrefetchTestbed testbed) {
    this.testbed = testbed;
    cluster = testbed.bench().cluster();
    hosts = new ControlledHosts(cluster.plan());
  }

  Arm arm(Scheduling scheduling) {
    return Arm.of(scheduling.title(), this::measure)
        .preparedBy(trial -> prepare(scheduling))
        .inspectedBy((trial, measurement) -> inspect(measurement));
  }

  private void prepare(Scheduling scheduling) {
    testbed.schedule(scheduling);
    hosts.onlyMasters(cluster);
  }

  private Measurement measure(Trial trial) throws ExecutionException, InterruptedException {
    began = System.currentTimeMillis();
    CompletableFuture<Map<String, Integer>> large = run(List.of(large()));
    await(large, () -> running().size() == 1, "the application master of the large job");
    hosts.openSources(cluster);
    String app = running().get(0);
    await(large, () -> mapsCompleted(app) == LARGE_MAPS, "the maps of the large job");
    hosts.closeSources(cluster);
    CompletableFuture<Map<String, Integer>> small = run(small());
    await(small, () -> running().size() == 1 + SMALL_JOBS, "the masters of the small jobs");

    Measurement.Builder measurement = Measurement.builder();
    try (RateWatch watch = new RateWatch(testbed, hosts.watched())) {
      hosts.mapsOnWatched(cluster);
      await(small, () -> smallMapsCompleted(app) >= SMALL_JOBS, "the first maps of small jobs");
      hosts.reducesToo(cluster);
      ended = new HashMap<>(small.get());
      ended.putAll(large.get());
      measurement
          .check("most seconds were watched", watch.isWhole(), watch.description())
          .curves(TITLE.formatted(hosts.watched()), watch.curves());
    }
    return measurement.build();
  }

  private CompletableFuture<Map<String, Integer>> run(List<Submission> jobs) {
    return CompletableFuture.supplyAsync(() -> testbed.run(jobs));
  }

  /** Fails if the jobs end before. */
  private static void await(CompletableFuture<?> jobs, BooleanSupplier condition, String what) {
    Waiting.until(() -> jobs.isDone() || condition.getAsBoolean(), what, LONGEST_WAIT, PAUSE);
    if (jobs.isDone()) {
      throw new TestbedException("waited in vain for %s: all has ended".formatted(what));
    }
  }

  /** Applications whose masters run. */
  private List<String> running() {
    return WebClient.elements(
            resourceManager("/ws/v1/cluster/apps?states=RUNNING").path("apps").path("app"))
        .stream()
        .map(app -> app.path("id").asText())
        .toList();
  }

  private int smallMapsCompleted(String large) {
    return running().stream().filter(app -> !app.equals(large)).mapToInt(this::mapsCompleted).sum();
  }

  private int mapsCompleted(String app) {
    return WebClient.elements(
            resourceManager("/proxy/%s/ws/v1/mapreduce/jobs".formatted(app))
                .path("jobs")
                .path("job"))
        .stream()
        .mapToInt(job -> job.path("mapsCompleted").asInt())
        .sum();
  }

  private JsonNode resourceManager(String path) {
    return cluster.web().json("http://m1:8088" + path).orElse(MissingNode.getInstance());
  }

  private void inspect(Measurement.Builder measurement) {
    List<EndedJob> jobs = testbed.history().since(began, ended.size());
    measurement.check(
        "all jobs have succeeded",
        ended.values().stream().allMatch(status -> status == 0),
        ended.toString());
    List<EndedJob> small = jobs.stream().filter(job -> job.maps() == SMALL_MAPS).toList();
    List<String> elsewhere =
        small.stream()
            .flatMap(job -> testbed.history().maps(job).stream())
            .map(JobHistory.MapRun::host)
            .filter(host -> !host.equals(hosts.watched()))
            .toList();
    measurement.check(
        "all maps of small jobs ran on " + hosts.watched(),
        small.size() == SMALL_JOBS && elsewhere.isEmpty(),
        elsewhere.toString());
    measurement.figure(MEAN, small.stream().mapToDouble(EndedJob::seconds).average().orElse(0));
    measurement.figure(
        MEAN_MAP, small.stream().mapToDouble(EndedJob::mapSeconds).average().orElse(0));
    measurement.figure(
        SHUFFLE,
        jobs.stream()
            .filter(job -> job.maps() == LARGE_MAPS)
            .mapToDouble(EndedJob::shuffleSeconds)
            .average()
            .orElse(0));
    ScheduledMaps maps =
        ScheduledMaps.of(testbed.report().orElseThrow(), small.stream().map(EndedJob::id).toList());
    measurement.check(
        "our scheduler tells of most maps of small jobs",
        maps.tellOf(SMALL_JOBS * SMALL_MAPS),
        "%d and %d".formatted(maps.found(), maps.launched()));
    measurement.figure(ScheduleRun.READY, maps.ready());
  }

  private static Submission large() {
    return new Submission(
        "large",
        0,
        Kind.scan(
            inputs(0, LARGE_MAPS),
            PrefetchTestbed.output("large"),
            LARGE_KEPT_PERCENT,
            ControlledHosts.REDUCES,
            ControlledHosts.LARGE_REDUCES));
  }

  private static List<Submission> small() {
    List<Submission> jobs = new ArrayList<>();
    List<String> options =
        List.of("-D%s=%d".formatted(PacedTextInputFormat.RATE, BLOCK_BYTES / MAP_SECONDS));
    for (int number = 0; number < SMALL_JOBS; number++) {
      String name = "small" + number;
      String inputs = inputs(LARGE_MAPS + number * SMALL_MAPS, SMALL_MAPS);
      String output = PrefetchTestbed.output(name);
      jobs.add(
          new Submission(
              name,
              0,
              number % 2 == 0
                  ? Kind.scan(inputs, output, 1, 1, options)
                  : Kind.search(inputs, output, options)));
    }
    return jobs;
  }

  /** Maps with their input on their host come first. */
  static boolean isFirstOfSmallJob(int file) {
    return file >= LARGE_MAPS && (file - LARGE_MAPS) % SMALL_MAPS == 0;
  }

  private static String inputs(int first, int maps) {
    return InputFiles.CONTROLLED.paths(IntStream.range(first, first + maps).boxed().toList());
  }
}
