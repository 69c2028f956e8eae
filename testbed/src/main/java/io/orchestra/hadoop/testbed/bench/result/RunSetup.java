package io.orchestra.hadoop.testbed.bench.result;

import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.Benchmark;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What is known of a run before its first trial.
 *
 * @param commit of the project, with a mark if files were changed since
 */
public record RunSetup(
    Benchmark benchmark,
    BenchOptions options,
    Instant start,
    Machine machine,
    Optional<String> commit) {

  /** The command that does the same again. */
  public String command() {
    return "bin/orchestra bench %s --repetitions %d --seed %d --hadoop %s%s%s%s"
        .formatted(
            benchmark.name(),
            options.repetitions(),
            options.seed(),
            options.hadoopVersion(),
            options.quick() ? " --quick" : "",
            options.only().isEmpty() ? "" : " --only " + String.join(",", options.only()),
            options.settings().stream()
                .map(setting -> " --set " + setting)
                .collect(Collectors.joining()));
  }

  /** What the benchmark says about itself. */
  public Map<String, String> description() {
    return benchmark.describe(options);
  }
}
