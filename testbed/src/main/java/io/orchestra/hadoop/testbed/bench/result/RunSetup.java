package io.orchestra.hadoop.testbed.bench.result;

import com.google.common.collect.ImmutableMap;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.Benchmark;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is known of a run before its first trial.
 *
 * @param starts when it began; more than one if it was continued
 * @param commit of the project, with a mark if files were changed since
 * @param earlierCommits other ones that have measured a part of it, and which experiments
 * @param earlyEnds why it ended before it was gone on with, each time
 */
public record RunSetup(
    Benchmark benchmark,
    BenchOptions options,
    List<Instant> starts,
    Machine machine,
    Optional<String> commit,
    Map<String, Set<String>> earlierCommits,
    List<String> earlyEnds) {
  /** The name of a {@linkplain #conditions condition}. */
  public static final String COMMIT = "commit";

  /** A commit, without git or a repository. */
  public static final String UNKNOWN = "unknown";

  public RunSetup {
    starts = List.copyOf(starts);
    earlierCommits = ImmutableMap.copyOf(earlierCommits);
    earlyEnds = List.copyOf(earlyEnds);
  }

  /** The command that does the same again, if it was not continued with other options. */
  public String command() {
    return measured() + (options.asPlanned() ? " --as-planned" : "");
  }

  /** What a repetition depends on, and how many there are at least. */
  private String measured() {
    return "bin/orchestra bench %s --repetitions %d --seed %d --hadoop %s%s%s%s%s"
        .formatted(
            benchmark.name(),
            options.repetitions(),
            options.seed(),
            options.hadoopVersion(),
            options.quick() ? " --quick" : "",
            options.selection().options(),
            options.settings().stream()
                .map(setting -> " --set " + setting)
                .collect(Collectors.joining()),
            options.workload().options());
  }

  /**
   * All that figures depend on beside chance. Only runs that agree in it may continue each other.
   */
  public Map<String, String> conditions() {
    return ImmutableMap.of(
        "command",
        measured(),
        COMMIT,
        commit.orElse(UNKNOWN),
        "processors",
        Integer.toString(machine.processors()),
        "TCP congestion control",
        machine.congestionControl(),
        "Java",
        machine.java());
  }

  /** The commit, and what others have measured. */
  public String commits() {
    return Stream.concat(
            Stream.of(commit.orElse(UNKNOWN)),
            earlierCommits.entrySet().stream()
                .map(
                    earlier ->
                        "%s for %s"
                            .formatted(earlier.getKey(), String.join(", ", earlier.getValue()))))
        .collect(Collectors.joining("; "));
  }

  /** What the benchmark says about itself. */
  public Map<String, String> description() {
    return benchmark.describe(options);
  }
}
