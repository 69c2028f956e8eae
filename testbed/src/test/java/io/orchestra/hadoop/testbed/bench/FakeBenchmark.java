package io.orchestra.hadoop.testbed.bench;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A benchmark that takes no time: stock needs 2 s of nobody's time, and the plugin half of that
 * plus what a repetition adds.
 */
public final class FakeBenchmark implements Benchmark {
  public static final String TIME = "write time (s)";

  /** Every trial in the order in which it ran, as arm, number and seed. */
  public final List<String> ran = new CopyOnWriteArrayList<>();

  private final Links links;
  private final double target;
  private final int failingRepetition;
  private int bystanderRepetitions = Integer.MAX_VALUE;
  private Runnable failure =
      () -> {
        throw new IllegalStateException("the disk is full");
      };

  /**
   * @param target of the key {@code speedup}, whose values are 2, 1.6, 2, 1.6, ...
   * @param failingRepetition in which the plugin fails, by an exception unless {@link #failingBy}
   *     says otherwise; zero for none
   */
  public FakeBenchmark(Links links, double target, int failingRepetition) {
    this.links = links;
    this.target = target;
    this.failingRepetition = failingRepetition;
  }

  /** The arm that no key compares takes part in as many repetitions only. */
  public FakeBenchmark withBystanderUpTo(int repetitions) {
    bystanderRepetitions = repetitions;
    return this;
  }

  /** What the plugin does in the repetition in which it fails. */
  public FakeBenchmark failingBy(Runnable does) {
    failure = does;
    return this;
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public String question() {
    return "Is half | of two one?";
  }

  @Override
  public List<RatioKey> ratios() {
    return List.of(
        RatioKey.ratio("speedup", "above 1 is faster", "loaded", TIME, "stock", "plugin")
            .alsoQuick()
            .inPaper(1.58, "figure 7")
            .targetAtLeast(target),
        RatioKey.difference("saved", "seconds saved", "loaded", TIME, "stock", "plugin"),
        RatioKey.figure("took", "seconds", "loaded", TIME, "plugin"));
  }

  /** Others than the one that is run leave nothing to be run. */
  @Override
  public List<String> experiments(BenchOptions options) {
    return options.quick() ? List.of("loaded") : List.of("loaded", "other", "another");
  }

  @Override
  public Map<String, String> describe(BenchOptions options) {
    return Map.of("hosts", "none");
  }

  @Override
  public void run(BenchRun run) {
    run.experiment(
        Experiment.of(
            "loaded",
            "Nothing is written.",
            links,
            List.of(
                Arm.of("stock", this::stock),
                Arm.of("plugin", this::plugin),
                Arm.of("bystander", this::bystander).upTo(bystanderRepetitions))));
  }

  private Measurement stock(Trial trial) {
    ran.add("stock " + trial.repetition() + " " + trial.seed());
    return measurement(2).build();
  }

  /** No key compares it. */
  private Measurement bystander(Trial trial) {
    ran.add("bystander " + trial.repetition() + " " + trial.seed());
    return measurement(3).build();
  }

  private Measurement plugin(Trial trial) {
    if (!trial.warmUp() && trial.repetition() == failingRepetition) {
      failure.run();
    }
    ran.add("plugin " + trial.repetition() + " " + trial.seed());
    return measurement(trial.repetition() % 2 == 1 ? 1 : 1.25).counter("picks", 7).build();
  }

  private static Measurement.Builder measurement(double seconds) {
    return Measurement.builder()
        .figure(TIME, seconds)
        .samples("block write time (s)", List.of(seconds / 2, seconds, seconds / 4))
        .check("bytes are equal", true, "0 differ");
  }
}
