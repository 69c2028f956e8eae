package io.orchestra.hadoop.testbed.bench.result;

import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.Benchmark;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What is known of a run before its first trial.
 *
 * @param starts when it began; more than one if it was continued
 * @param commit of the project, with a mark if files were changed since
 */
public record RunSetup(
    Benchmark benchmark,
    BenchOptions options,
    List<Instant> starts,
    Machine machine,
    Optional<String> commit) {

  public RunSetup {
    starts = List.copyOf(starts);
  }

  /** The command that does the same again. */
  public String command() {
    return "bin/orchestra bench %s --repetitions %d --seed %d --hadoop %s%s%s%s%s"
        .formatted(
            benchmark.name(),
            options.repetitions(),
            options.seed(),
            options.hadoopVersion(),
            options.quick() ? " --quick" : "",
            options.only().isEmpty() ? "" : " --only " + String.join(",", options.only()),
            options.settings().stream()
                .map(setting -> " --set " + setting)
                .collect(Collectors.joining()),
            options.workload().options());
  }

  /**
   * All that figures depend on beside chance. Only runs that agree in it may continue each other.
   */
  public Map<String, String> conditions() {
    return Map.of(
        "command",
        command(),
        "commit",
        commit.orElse("unknown"),
        "processors",
        Integer.toString(machine.processors()),
        "TCP congestion control",
        machine.congestionControl());
  }

  /** What the benchmark says about itself. */
  public Map<String, String> description() {
    return benchmark.describe(options);
  }
}
