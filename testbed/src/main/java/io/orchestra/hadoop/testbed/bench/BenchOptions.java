package io.orchestra.hadoop.testbed.bench;

import java.nio.file.Path;

/**
 * How a benchmark is to be run.
 *
 * @param hadoopVersion such as {@code 3.5.0}
 * @param repetitions how many trials of each arm are measured, at least one
 * @param quick whether to run less, and to fill only the keys that say so
 * @param seed everything random comes from it
 * @param output the directory for results; it exists while the benchmark runs
 */
public record BenchOptions(
    String hadoopVersion, int repetitions, boolean quick, long seed, Path output) {

  public BenchOptions {
    if (repetitions < 1) {
      throw new IllegalArgumentException("repetitions: at least 1, not " + repetitions);
    }
  }
}
