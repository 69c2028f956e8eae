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
                "mean block write, Sinbad / oracle, links busy for 60 s (wanted: at most 1.15)",
                SLOW,
                BlockWrites.MEAN,
                sinbad,
                Policy.ORACLE.title())
            .alsoQuick()
            .inPaper(1.2, "simulation: 1.89 / 1.58, against a loose bound, section 7.2"),
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
  public Map<String, String> describe(BenchOptions options) {
    return Sizes.of(options).describe();
  }

  @Override
  public void run(BenchRun run) {
    boolean quick = run.options().quick();
    Sizes sizes = Sizes.of(run.options());
    try (PlacementTestbed testbed = PlacementTestbed.up(run, !quick)) {
      BlockWrites blocks = new BlockWrites(testbed, sizes);
      int warmUps = quick ? 0 : 1;
      run.experiment(
          new WriteExperiment(testbed, Optional.of(Duration.ofSeconds(60)), blocks::run)
              .of(
                  SLOW,
                  "Background traffic moves to other links every 60 s.",
                  quick
                      ? List.of(Policy.DEFAULT, Policy.SINBAD, Policy.ORACLE)
                      : List.of(Policy.values()))
              .withWarmUps(warmUps));
      run.experiment(
          new WriteExperiment(testbed, Optional.empty(), blocks::run)
              .of(QUIET, "No background traffic.", List.of(Policy.DEFAULT, Policy.SINBAD))
              .withWarmUps(warmUps));
      if (!quick) {
        run.experiment(
            new WriteExperiment(testbed, Optional.of(Duration.ofSeconds(10)), blocks::run)
                .of(
                    FAST,
                    "Background traffic moves to other links every 10 s.",
                    List.of(Policy.DEFAULT, Policy.SINBAD, Policy.LITERAL, Policy.ORACLE))
                .withWarmUps(0));
        run.experiment(
            new WriteExperiment(
                    testbed, Optional.of(Duration.ofSeconds(60)), new JobRun(testbed)::run)
                .of(
                    JOB,
                    "TeraGen, 8 maps of 64 MB, with background traffic as in busy-60s.",
                    List.of(Policy.DEFAULT, Policy.SINBAD)));
      }
      testbed.succeeded();
    }
  }
}
