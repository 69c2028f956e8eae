package io.orchestra.hadoop.testbed.bench;

import io.orchestra.hadoop.testbed.hadoop.Setting;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How a benchmark is to be run.
 *
 * @param hadoopVersion such as {@code 3.5.0}
 * @param repetitions how many trials of each arm are measured, at least one
 * @param quick whether to run less, and to fill only the keys that say so
 * @param only the experiments to run; all if there are none
 * @param seed everything random comes from it
 * @param settings laid over those of every cluster, in all arms
 * @param workload what benchmarks that replay a trace replay
 * @param output the directory for results; it exists while the benchmark runs
 */
public record BenchOptions(
    String hadoopVersion,
    int repetitions,
    boolean quick,
    Set<String> only,
    long seed,
    List<Setting> settings,
    Workload workload,
    Path output) {

  public BenchOptions {
    if (repetitions < 1) {
      throw new IllegalArgumentException("repetitions: at least 1, not " + repetitions);
    }
    only = Collections.unmodifiableSet(new LinkedHashSet<>(only));
    settings = List.copyOf(settings);
  }

  /** With all experiments, and no settings of its own. */
  public BenchOptions(
      String hadoopVersion, int repetitions, boolean quick, long seed, Path output) {
    this(hadoopVersion, repetitions, quick, Set.of(), seed, List.of(), Workload.RECORDED, output);
  }

  /** Whether an experiment is to be run. */
  public boolean runs(String experiment) {
    return only.isEmpty() || only.contains(experiment);
  }
}
