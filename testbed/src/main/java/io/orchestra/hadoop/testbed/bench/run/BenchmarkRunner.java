package io.orchestra.hadoop.testbed.bench.run;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.Benchmark;
import io.orchestra.hadoop.testbed.bench.report.ResultDirectory;
import io.orchestra.hadoop.testbed.bench.result.EarlierRun;
import io.orchestra.hadoop.testbed.bench.result.ExperimentResult;
import io.orchestra.hadoop.testbed.bench.result.Machine;
import io.orchestra.hadoop.testbed.bench.result.RunResult;
import io.orchestra.hadoop.testbed.bench.result.RunSetup;
import io.orchestra.hadoop.testbed.cluster.ClusterLock;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.process.SignalScope;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Runs a benchmark and writes its results, also those of a run that fails. */
public final class BenchmarkRunner {
  private final RunEnvironment environment;

  public BenchmarkRunner(RunEnvironment environment) {
    this.environment = environment;
  }

  /**
   * Runs everything. After each repetition the JSON of what was measured until then is on disk, at
   * the end also the report and the plots.
   */
  public RunResult run(Benchmark benchmark, BenchOptions options) throws Exception {
    ResultDirectory directory = directory(options);
    directory.prepare();
    return run(benchmark, options, directory, EarlierRun.NONE, Set.of());
  }

  /**
   * Runs what is missing in the options' output directory, where an earlier run ended early.
   * Repetitions that are there whole count as they are; a repetition that is not is run again.
   *
   * @param acrossCommits whether the project may have changed meanwhile
   * @throws TestbedException if there are no results, or those of other options, another commit or
   *     another machine
   */
  public RunResult goOn(Benchmark benchmark, BenchOptions options, boolean acrossCommits)
      throws Exception {
    ResultDirectory directory = directory(options);
    EarlierRun earlier = directory.earlier();
    return run(
        benchmark, options, directory, earlier, acrossCommits ? Set.of(RunSetup.COMMIT) : Set.of());
  }

  private ResultDirectory directory(BenchOptions options) {
    return new ResultDirectory(options.output(), environment.progress());
  }

  private RunResult run(
      Benchmark benchmark,
      BenchOptions options,
      ResultDirectory directory,
      EarlierRun earlier,
      Set<String> changeable)
      throws Exception {
    Optional<String> commit = ProjectCommit.of(environment.project().root());
    Map<String, Set<String>> earlierCommits = new LinkedHashMap<>(earlier.commits());
    earlierCommits.remove(commit.orElse(RunSetup.UNKNOWN));
    RunSetup setup =
        new RunSetup(
            benchmark,
            options,
            ImmutableList.<Instant>builder().addAll(earlier.starts()).add(Instant.now()).build(),
            Machine.ofThisProcess(),
            commit,
            earlierCommits,
            earlier.ends());
    if (!earlier.starts().isEmpty()) {
      requireSame(
          Maps.filterKeys(earlier.conditions(), name -> !changeable.contains(name)),
          Maps.filterKeys(setup.conditions(), name -> !changeable.contains(name)));
    }
    TestbedHome home = environment.home();
    home.prepareDirectories();
    try (ClusterLock lock = ClusterLock.take(home.benchLock(), "measuring")) {
      requireQuiet(home);
      return run(benchmark, setup, directory, earlier);
    }
  }

  /** What runs beside a measurement is measured with it. */
  private static void requireQuiet(TestbedHome home) {
    Set<String> running = home.runningClusters();
    if (!running.isEmpty()) {
      throw new TestbedException(
          "clusters run on this machine, and would be measured with it: %s. End each with 'cluster down NAME'"
              .formatted(String.join(", ", running)));
    }
  }

  private RunResult run(
      Benchmark benchmark, RunSetup setup, ResultDirectory directory, EarlierRun earlier)
      throws Exception {
    directory.begin(setup);
    introduce(setup);
    MeasuredRun run =
        new MeasuredRun(
            environment,
            setup,
            earlier,
            (experiment, repetition, results) -> {
              directory.append(experiment, repetition);
              directory.writeJson(unfinished(setup, results, "it has not ended yet"));
            });
    // Files cannot be written by a thread that is interrupted: a signal ends the benchmark, and the
    // process only after its results are there.
    try (SignalScope scope = SignalScope.begin()) {
      try {
        benchmark.run(run);
      } catch (Exception | Error failure) {
        scope.beginEnd();
        keep(setup, run, directory, failure);
        throw failure;
      }
      scope.beginEnd();
      RunResult result = RunResult.of(setup, run.results(), Optional.empty());
      directory.writeAll(result);
      return result;
    }
  }

  private static void requireSame(Map<String, String> earlier, Map<String, String> now) {
    String differences =
        Sets.union(earlier.keySet(), now.keySet()).stream()
            .filter(name -> !Objects.equals(earlier.get(name), now.get(name)))
            .sorted()
            .map(
                name ->
                    "%s=(%s, %s)"
                        .formatted(
                            name,
                            earlier.getOrDefault(name, RunSetup.UNKNOWN),
                            now.getOrDefault(name, RunSetup.UNKNOWN)))
            .collect(Collectors.joining(", "));
    if (!differences.isEmpty()) {
      throw new TestbedException(
          "the results there were measured under other conditions, and figures of both cannot be compared; start a new"
              + " run without --continue. Then and now: "
              + differences);
    }
  }

  private void introduce(RunSetup setup) {
    environment.progress().say(setup.benchmark().name() + ": " + setup.benchmark().question());
    setup
        .description()
        .forEach((what, value) -> environment.progress().say("  " + what + ": " + value));
    environment.progress().say("  results: " + setup.options().output());
  }

  /** Writes the results so far and why there are no more. */
  private static void keep(
      RunSetup setup, MeasuredRun run, ResultDirectory directory, Throwable failure) {
    try {
      directory.fail(failure);
      directory.writeAll(unfinished(setup, run.results(), failure.getMessage()));
    } catch (RuntimeException alsoFailed) {
      failure.addSuppressed(alsoFailed);
    }
  }

  private static RunResult unfinished(RunSetup setup, List<ExperimentResult> results, String why) {
    return RunResult.of(setup, results, Optional.of(String.valueOf(why)));
  }
}
