package io.orchestra.hadoop.testbed.bench;

import io.orchestra.hadoop.testbed.hadoop.Setting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How a benchmark is to be run.
 *
 * @param hadoopVersion such as {@code 3.5.0}
 * @param repetitions how many trials of each arm are measured, at least one
 * @param quick whether to run less, and to fill only the keys that say so
 * @param asPlanned whether no trials are added to those that were planned where a target is
 *     undecided after them
 * @param selection which experiments and arms
 * @param seed everything random comes from it
 * @param settings laid over those of every cluster, in all arms
 * @param workload what benchmarks that replay a trace replay
 * @param output the directory for results; it exists while the benchmark runs
 */
public record BenchOptions(
    String hadoopVersion,
    int repetitions,
    boolean quick,
    boolean asPlanned,
    Selection selection,
    long seed,
    List<Setting> settings,
    Workload workload,
    Path output) {

  public BenchOptions {
    if (repetitions < 1) {
      throw new IllegalArgumentException("repetitions: at least 1, not " + repetitions);
    }
    settings = List.copyOf(settings);
  }

  /** With all experiments and arms, and no settings of its own. */
  public BenchOptions(
      String hadoopVersion, int repetitions, boolean quick, long seed, Path output) {
    this(
        hadoopVersion,
        repetitions,
        quick,
        false,
        Selection.ALL,
        seed,
        List.of(),
        Workload.RECORDED,
        output);
  }

  /** Whether an experiment is to be run. */
  public boolean runs(String experiment) {
    return selection.hasExperiment(experiment);
  }

  /** What to say of a run whose planned repetitions take about so long. */
  public String estimate(Duration planned) {
    return "about %d minutes".formatted(Math.round(planned.toSeconds() / 60.0))
        + (quick || asPlanned ? "" : ", and more if targets stay undecided");
  }

  /** Whether an arm of the experiments that are run is to be measured. */
  public boolean measures(String arm) {
    return selection.hasArm(arm);
  }
}
