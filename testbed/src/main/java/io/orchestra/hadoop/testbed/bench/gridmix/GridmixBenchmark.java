package io.orchestra.hadoop.testbed.bench.gridmix;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.BenchRun;
import io.orchestra.hadoop.testbed.bench.Benchmark;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.Formula;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import io.orchestra.hadoop.testbed.bench.gridmix.GridmixTestbed.LinkRates;
import io.orchestra.hadoop.testbed.trace.CacheFile;
import io.orchestra.hadoop.testbed.trace.Trace;
import io.orchestra.hadoop.testbed.trace.TraceJob;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Hadoop's GridMix with each plugin, and with all four, beside stock Hadoop. */
public final class GridmixBenchmark implements Benchmark {
  private static final String REPLAY = "replay";
  private static final String STRESS = "stress";
  private static final int STRESS_REPETITIONS = 2;
  private static final Duration START = Duration.ofMinutes(3);

  /** Of all daemons, before each trial. */
  private static final Duration RESTART = Duration.ofSeconds(60);

  /** What a map, with all that belongs to its job, adds to a trial. */
  private static final Duration MAP = Duration.ofSeconds(15);

  /** The same over faster links. */
  private static final Duration QUICK_MAP = Duration.ofSeconds(10);

  @Override
  public String name() {
    return "gridmix";
  }

  @Override
  public String question() {
    return "How much sooner do the jobs of a network-bound mix end with all four plugins on, and does any plugin make"
        + " any kind of job slower?";
  }

  @Override
  public List<RatioKey> ratios() {
    return Stream.concat(
            Stream.of(
                speedup("meanJobSpeedup", JobFigures.MEAN, Way.ALL).alsoQuick().targetAtLeast(1.25),
                speedup("makespanSpeedup", JobFigures.MAKESPAN, Way.ALL).alsoQuick(),
                RatioKey.smallest(
                        "worstBinSpeedup",
                        "mean job time of a third of the jobs by size, stock / each plugin alone and all four, the"
                            + " smallest: 0.97 is 3 % slower",
                        worstBin())
                    .targetAtLeast(0.97)),
            Way.alone().stream()
                .map(
                    way ->
                        speedup("only_" + way.plugins().get(0).pluginName(), JobFigures.MEAN, way)))
        .toList();
  }

  private static RatioKey speedup(String key, String figure, Way way) {
    return RatioKey.ratio(
        key,
        "policy REPLAY: %s, stock / %s".formatted(figure, way.title()),
        REPLAY,
        figure,
        Way.STOCK.title(),
        way.title());
  }

  private static List<Formula.PairedRatio> worstBin() {
    return Arrays.stream(SizeBin.values())
        .flatMap(
            bin ->
                Arrays.stream(Way.values())
                    .filter(way -> way != Way.STOCK)
                    .map(
                        way ->
                            Formula.PairedRatio.of(
                                REPLAY, bin.figure(), Way.STOCK.title(), way.title())))
        .toList();
  }

  @Override
  public List<String> experiments(BenchOptions options) {
    return options.quick() ? List.of(REPLAY) : List.of(REPLAY, STRESS);
  }

  private List<String> wanted(BenchOptions options) {
    return experiments(options).stream().filter(options::runs).toList();
  }

  @Override
  public Map<String, String> describe(BenchOptions options) {
    List<TraceJob> jobs = trace(options).views();
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put(
        "cluster",
        "%d racks of %d workers with room for one map each, links %s, uplinks %s"
            .formatted(
                GridmixTestbed.RACKS,
                GridmixTestbed.HOSTS_PER_RACK,
                rates(options).host(),
                rates(options).uplink()));
    lines.put("trace", options.workload().swim().map(Object::toString).orElse("recorded"));
    lines.put(
        "jobs",
        "%d with %d maps and %d reduces; %d MB are read, %d MB shuffled, %d MB written; %d MB of files for tasks"
            .formatted(
                jobs.size(),
                jobs.stream().mapToInt(TraceJob::maps).sum(),
                jobs.stream().mapToInt(TraceJob::reduces).sum(),
                megabytes(jobs, TraceJob::inputBytes),
                megabytes(jobs, TraceJob::shuffleBytes),
                megabytes(jobs, TraceJob::outputBytes),
                megabytes(jobs, job -> job.files().stream().mapToLong(CacheFile::bytes).sum())));
    lines.put(
        "program",
        "GridMix 3.4.2, LOADJOB, distributed cache emulated; STRESS limited to four jobs as it counts them");
    lines.put("time", options.estimate(time(options, jobs)));
    return lines;
  }

  /** What is replayed: quickly a third of it. */
  private static Trace trace(BenchOptions options) {
    Trace all = Traces.of(options.workload());
    // A third of fewer jobs would leave a size without any.
    boolean enough = all.jobs().size() >= 3 * SizeBin.values().length;
    return options.quick() && enough ? all.third() : all;
  }

  private static LinkRates rates(BenchOptions options) {
    return options.quick() ? LinkRates.QUICK : LinkRates.MEASURED;
  }

  private static long megabytes(List<TraceJob> jobs, ToLongFunction<TraceJob> bytes) {
    return jobs.stream().mapToLong(bytes).sum() / 1_000_000;
  }

  private Duration time(BenchOptions options, List<TraceJob> jobs) {
    int trials = 0;
    for (String experiment : wanted(options)) {
      trials += ways(options, experiment).size() * repetitions(options, experiment);
    }
    Duration map = options.quick() ? QUICK_MAP : MAP;
    Duration trial = RESTART.plus(map.multipliedBy(jobs.stream().mapToInt(TraceJob::maps).sum()));
    return START.plus(trial.multipliedBy(trials));
  }

  private static List<Way> ways(BenchOptions options, String experiment) {
    return options.quick() || experiment.equals(STRESS)
        ? List.of(Way.STOCK, Way.ALL)
        : Arrays.asList(Way.values());
  }

  /** No key is computed from STRESS. */
  private static int repetitions(BenchOptions options, String experiment) {
    return experiment.equals(STRESS)
        ? Math.min(STRESS_REPETITIONS, options.repetitions())
        : options.repetitions();
  }

  private static List<Arm> arms(GridmixRun jobs, BenchOptions options, String experiment) {
    Stream<Arm> all = ways(options, experiment).stream().map(jobs::arm);
    return (experiment.equals(STRESS) ? all.map(arm -> arm.upTo(STRESS_REPETITIONS)) : all)
        .toList();
  }

  @Override
  public void run(BenchRun run) {
    BenchOptions options = run.options();
    Trace trace = trace(options);
    try (GridmixTestbed testbed =
        GridmixTestbed.up(
            run.home(),
            run.project(),
            run.progress(),
            options.hadoopVersion(),
            rates(options),
            options.settings())) {
      testbed.generate(trace, run.progress());
      Map<Integer, String> signatures = new HashMap<>();
      for (String experiment : wanted(options)) {
        GridmixRun jobs =
            new GridmixRun(testbed, experiment.toUpperCase(Locale.ROOT), trace.views(), signatures);
        run.experiment(
            Experiment.withoutBusyLink(
                    experiment,
                    experiment.equals(STRESS)
                        ? "GridMix submits a job as soon as it counts fewer than four that run."
                        : "GridMix submits each job at its time in the trace.",
                    "jobs load the links, now one and now another",
                    Optional.of(testbed.links()),
                    arms(jobs, options, experiment))
                // Daemons are new in each trial: there is nothing to warm up.
                .withWarmUps(0));
      }
      testbed.succeeded();
    }
  }
}
