package io.orchestra.hadoop.testbed.bench.shuffle;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.BenchRun;
import io.orchestra.hadoop.testbed.bench.Benchmark;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import io.orchestra.hadoop.testbed.bench.SameOutput;
import io.orchestra.hadoop.testbed.bench.Window;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Weighted shuffles beside Hadoop's. */
public final class ShuffleBenchmark implements Benchmark {
  private static final String SECONDS = "shuffle time (s)";
  private static final String VERSUS_BOUND = "shuffle time / bound";

  /** So many megabytes that starting a shuffle takes little of its time. */
  private static final int UNIT = 100;

  private static final int HOT_UNIT = 30;
  private static final int SKEWED_UNIT = 50;

  /** What each of five hosts has for each. */
  private static final int BALANCED_UNIT = 40;

  /** Until the first trial, with the jobs that only warm up. */
  private static final Duration START = Duration.ofSeconds(130);

  /** Of an experiment: files and goodput. */
  private static final Duration PLACING = Duration.ofSeconds(25);

  @Override
  public String name() {
    return "shuffle";
  }

  @Override
  public String question() {
    return "How much sooner does a shuffle end when reducers fetch most from the hosts that have most for them?";
  }

  @Override
  public List<RatioKey> ratios() {
    return List.of(
        speedup("figure8Speedup", Pattern.FIGURE8)
            .alsoQuick()
            .inPaper(1.25, "theory, figure 8; up to 1.29 measured, section 7.4")
            .targetAtLeast(1.15),
        versusBound("figure8VsBound", Pattern.FIGURE8).alsoQuick().targetAtMost(1.1),
        speedup("figure8OnDiskSpeedup", Pattern.ON_DISK),
        speedup("hotHostSpeedup", Pattern.HOT_HOST),
        versusBound("hotHostVsBound", Pattern.HOT_HOST).targetAtMost(1.1),
        speedup("skewSpeedup", "skew"),
        speedup("balancedSpeedup", "balanced").alsoQuick().targetAtLeast(0.98));
  }

  private static RatioKey speedup(String key, String experiment) {
    return RatioKey.ratio(
        key,
        experiment + ": first request to last byte over all reducers, stock with 5 fetchers / WSS",
        experiment,
        SECONDS,
        Way.STOCK.title(),
        Way.WEIGHTED.title());
  }

  private static RatioKey versusBound(String key, String experiment) {
    return RatioKey.figure(
        key,
        experiment + ": WSS / time in which the busiest link carries its bytes",
        experiment,
        VERSUS_BOUND,
        Way.WEIGHTED.title());
  }

  @Override
  public List<String> experiments(BenchOptions options) {
    return patterns(options).stream().map(Pattern::name).toList();
  }

  private static List<Pattern> wanted(BenchOptions options) {
    return patterns(options).stream().filter(pattern -> options.runs(pattern.name())).toList();
  }

  /** With {@code --quick} there are more for those who ask for them. */
  private static List<Pattern> patterns(BenchOptions options) {
    return options.quick() && options.selection().experiments().isEmpty()
        ? List.of(Pattern.figure8(UNIT), Pattern.balanced(BALANCED_UNIT / 2))
        : List.of(
            Pattern.figure8(UNIT),
            Pattern.figure8OnDisk(UNIT),
            Pattern.hotHost(HOT_UNIT),
            Pattern.skewed(SKEWED_UNIT, options.seed()),
            Pattern.balanced(BALANCED_UNIT));
  }

  /** All where weights matter most; others tell nothing new of the rest. */
  private static List<Way> ways(BenchOptions options, Pattern pattern) {
    boolean all = pattern.name().equals(Pattern.FIGURE8) || pattern.name().equals(Pattern.HOT_HOST);
    return all && !options.quick() ? List.of(Way.values()) : List.of(Way.STOCK, Way.WEIGHTED);
  }

  @Override
  public Map<String, String> describe(BenchOptions options) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put(
        "cluster",
        "2 racks of 4 hosts: five senders, two receivers, one for the application's master");
    lines.put(
        "links",
        wanted(options).stream()
            .map(pattern -> "%s %s".formatted(pattern.name(), pattern.rate()))
            .collect(Collectors.joining(", ", "of each host: ", "; of racks ten times that")));
    lines.put(
        "jobs",
        "maps make up to 100 MB of random bytes, at least two maps a sender, for two reducers with a heap of %d MB; balanced: TeraSort with a reducer on each sender; reducers begin when all maps have ended"
            .formatted(Roles.REDUCE_HEAP_MEGABYTES));
    lines.put(
        "placement",
        "one-block inputs with one replica, pinned to senders; containers of maps fit on senders only, those of reducers on receivers, one each, and those of TeraSort's on senders");
    lines.put(
        "bound",
        "bytes of the busiest link by the goodput of one connection, the median of five downloads by HTTP before each experiment");
    lines.put(
        "left out",
        "Celeborn: it could not be had from the Maven repository that this was run with (celeborn-client-mr-shaded_2.12, celeborn-master_2.12, celeborn-worker_2.12)");
    lines.put("time", options.estimate(time(options)));
    return lines;
  }

  private static Duration time(BenchOptions options) {
    double seconds = START.toSeconds();
    for (Pattern pattern : wanted(options)) {
      int trials = ways(options, pattern).size() * options.repetitions();
      seconds += PLACING.toSeconds() + trials * pattern.trialSeconds();
    }
    return Duration.ofSeconds(Math.round(seconds));
  }

  @Override
  public void run(BenchRun run) {
    try (ShuffleTestbed testbed = ShuffleTestbed.up(run)) {
      for (Pattern pattern : wanted(run.options())) {
        testbed.place(pattern);
        double goodput = testbed.goodput();
        run.progress().say("goodput of a link: %.2f MB/s".formatted(goodput / 1e6));
        SameOutput same = new SameOutput();
        List<Arm> arms =
            ways(run.options(), pattern).stream()
                .map(way -> arm(testbed, pattern, way, goodput, same))
                .toList();
        run.experiment(
            Experiment.withoutBusyLink(
                    pattern.name(),
                    "%s Links of %s, whose goodput is %.2f MB/s."
                        .formatted(pattern.description(), pattern.rate(), goodput / 1e6),
                    "how busy the busiest link is kept is what is compared",
                    Optional.of(testbed.links(pattern)),
                    arms)
                // Processes of tasks are new in each trial; the others have been warmed up.
                .withWarmUps(0));
      }
      testbed.succeeded();
    }
  }

  private static Arm arm(
      ShuffleTestbed testbed, Pattern pattern, Way way, double goodput, SameOutput same) {
    return Arm.of(way.title(), trial -> measure(testbed, pattern, way, goodput, same));
  }

  private static Measurement measure(
      ShuffleTestbed testbed, Pattern pattern, Way way, double goodput, SameOutput same) {
    long before = testbed.ranges();
    ShuffleTestbed.Outcome outcome = testbed.run(pattern, way);
    Window shuffle = ReducerLog.window(outcome.reducers());
    double seconds = shuffle.seconds();
    List<String> explained =
        outcome.reducers().stream().flatMap(log -> log.explanation().stream()).toList();
    Measurement.Builder measurement =
        Measurement.builder()
            .figure(SECONDS, seconds)
            .figure(VERSUS_BOUND, seconds / (pattern.bottleneck() / goodput))
            .figure("job time (s)", outcome.seconds())
            .within(shuffle)
            .counter("ranges", testbed.ranges() - before)
            .counter(
                "requests by weight",
                outcome.reducers().stream().mapToLong(ReducerLog::weightedRequests).sum());
    same.check(measurement, outcome.checksum());
    return measurement
        .check(
            "everything ran where it should",
            outcome.misplaced().isEmpty(),
            String.join(", ", outcome.misplaced()))
        .check(
            "reducers shuffled as they should",
            explained.size() == (way.isOurs() ? outcome.reducers().size() : 0),
            "%d of %d with our plugin%s"
                .formatted(
                    explained.size(),
                    outcome.reducers().size(),
                    explained.stream().collect(Collectors.joining("; ", "; ", ""))))
        .build();
  }
}
