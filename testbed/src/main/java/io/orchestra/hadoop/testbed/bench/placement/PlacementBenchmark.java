package io.orchestra.hadoop.testbed.bench.placement;

import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.BenchRun;
import io.orchestra.hadoop.testbed.bench.Benchmark;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import io.orchestra.hadoop.testbed.bench.SampledFigure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sinbad beside HDFS's own policies, an oracle, and the paper to the letter. */
public final class PlacementBenchmark implements Benchmark {
  private static final String SLOW = "busy-60s";
  private static final String FAST = "busy-10s";
  private static final String QUIET = "quiet";
  private static final String JOB = "job";
  private static final Optional<Duration> SLOW_PERIOD = Optional.of(Duration.ofSeconds(60));
  private static final Duration START = Duration.ofSeconds(60);

  private static final String BUSY_LINKS =
      """
      The utilisation of the busy downlinks proves that there was something to avoid: others kept these links busy, \
      all by themselves. It does not prove that the network was the limit of the writers, who keep off these links \
      in some arms. Whether it was the network or the processor is read from CPU idle and from the utilisation of \
      the other downlinks, which are those without background traffic at the time.""";

  private static final String ABOUT_LITERAL =
      """
      Sinbad literal differs from Sinbad in algorithm, spread and smoothing together: it tells what the paper to the \
      letter does, and not which of the three makes the difference.""";

  @Override
  public String name() {
    return "placement";
  }

  @Override
  public String question() {
    return "How much faster are blocks written when replicas go behind idle links, while other traffic"
        + " keeps a changing third of the hosts' links busy?";
  }

  @Override
  public List<RatioKey> ratios() {
    String stock = Policy.DEFAULT.title();
    String sinbad = Policy.SINBAD.title();
    return List.of(
        RatioKey.ratio(
                "blockWriteMeanSpeedup",
                "mean block write, default / Sinbad, links busy for 60 s",
                SLOW,
                BlockWrites.MEAN,
                stock,
                sinbad)
            .alsoQuick()
            .inPaper(1.3, "100 machines on EC2, section 7.2")
            .targetAtLeast(1.5),
        RatioKey.ratio(
                "blockWriteMeanVsOracle",
                "mean block write, Sinbad / oracle, links busy for 60 s",
                SLOW,
                BlockWrites.MEAN,
                sinbad,
                Policy.ORACLE.title())
            .alsoQuick()
            .inPaper(1.2, "simulation: 1.89 / 1.58, against a loose bound, section 7.2")
            .targetAtMost(1.15),
        RatioKey.ratio(
            "blockWriteMeanSpeedupFast",
            "mean block write, default / Sinbad, links busy for 10 s",
            FAST,
            BlockWrites.MEAN,
            stock,
            sinbad),
        RatioKey.ratio(
                "quietSpeedup",
                "mean block write, default / Sinbad, no other traffic",
                QUIET,
                BlockWrites.MEAN,
                stock,
                sinbad)
            .alsoQuick()
            .targetAtLeast(0.97),
        RatioKey.ratio(
                "jobSpeedup",
                "TeraGen, submission to end, default / Sinbad, links busy for 60 s",
                JOB,
                JobRun.SECONDS,
                stock,
                sinbad)
            .inPaper(1.26, "write-heavy jobs on EC2, section 7.2"),
        RatioKey.difference(
                "downlinkCvDrop",
                "coefficient of variation of the downlinks' utilisation, default less Sinbad",
                SLOW,
                SampledFigure.LINK_VARIATION,
                stock,
                sinbad)
            .inPaper(0.33, "section 7.3"),
        RatioKey.figure(
                "diskImbalance",
                "standard deviation of used / capacity over the DataNodes under Sinbad, capacity taken as 10 GB",
                SLOW,
                BlockWrites.DISK_IMBALANCE,
                sinbad)
            .inPaper(0.0057, "section 7.4"));
  }

  @Override
  public List<String> experiments(BenchOptions options) {
    return plans(options).stream().map(Plan::name).toList();
  }

  @Override
  public Map<String, String> describe(BenchOptions options) {
    Map<String, String> lines = Sizes.of(options).describe();
    lines.put("time", options.estimate(time(options)));
    return lines;
  }

  private static Duration time(BenchOptions options) {
    return wanted(options).stream()
        .map(plan -> plan.time(options.repetitions()))
        .reduce(START, Duration::plus);
  }

  private static List<Plan> wanted(BenchOptions options) {
    return plans(options).stream().filter(plan -> options.runs(plan.name())).toList();
  }

  /** All that there are. */
  private static List<Plan> plans(BenchOptions options) {
    return options.quick()
        ? List.of(
            new Plan(
                SLOW,
                Plan.Work.BLOCKS,
                "Background traffic moves to other links every 60 s. " + BUSY_LINKS,
                SLOW_PERIOD,
                List.of(Policy.DEFAULT, Policy.SINBAD, Policy.ORACLE),
                0,
                Duration.ofSeconds(70),
                Duration.ofSeconds(25)),
            quiet(Duration.ofSeconds(14)))
        : List.of(
            new Plan(
                SLOW,
                Plan.Work.BLOCKS,
                "Background traffic moves to other links every 60 s. %s %s"
                    .formatted(BUSY_LINKS, ABOUT_LITERAL),
                SLOW_PERIOD,
                List.of(Policy.values()),
                0,
                Duration.ofSeconds(130),
                Duration.ofSeconds(45)),
            quiet(Duration.ofSeconds(25)),
            new Plan(
                FAST,
                Plan.Work.BLOCKS,
                "Background traffic moves to other links every 10 s. " + BUSY_LINKS,
                Optional.of(Duration.ofSeconds(10)),
                List.of(Policy.DEFAULT, Policy.SINBAD, Policy.ORACLE),
                0,
                Duration.ofSeconds(70),
                Duration.ofSeconds(35)),
            new Plan(
                JOB,
                Plan.Work.JOB,
                "TeraGen, %d maps of %d MB, with background traffic as in %s."
                    .formatted(Sizes.JOB_MAPS, Sizes.JOB_BYTES / Sizes.JOB_MAPS / 1_000_000, SLOW),
                SLOW_PERIOD,
                List.of(Policy.DEFAULT, Policy.SINBAD),
                1,
                Duration.ofSeconds(75),
                Duration.ofSeconds(60)));
  }

  private static Plan quiet(Duration trial) {
    return new Plan(
        QUIET,
        Plan.Work.BLOCKS,
        "No background traffic.",
        Optional.empty(),
        List.of(Policy.DEFAULT, Policy.SINBAD),
        0,
        trial,
        trial);
  }

  @Override
  public void run(BenchRun run) {
    // Also where the job is not asked for, so that all runs have the same daemons.
    boolean yarn = plans(run.options()).stream().anyMatch(plan -> plan.work() == Plan.Work.JOB);
    try (PlacementTestbed testbed = PlacementTestbed.up(run, yarn)) {
      BlockWrites blocks = new BlockWrites(testbed, Sizes.of(run.options()));
      run.progress().say("warm-up: every host writes");
      blocks.warmUp();
      for (Plan plan : wanted(run.options())) {
        WriteExperiment.Work work =
            switch (plan.work()) {
              case BLOCKS -> blocks::run;
              case JOB -> new JobRun(testbed)::run;
            };
        run.experiment(
            new WriteExperiment(testbed, plan.period(), work)
                .of(plan.name(), plan.description(), plan.policies())
                .withWarmUps(plan.warmUps()));
      }
      testbed.succeeded();
    }
  }
}
