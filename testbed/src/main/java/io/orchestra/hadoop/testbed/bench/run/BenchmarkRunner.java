package io.orchestra.hadoop.testbed.bench.run;

import com.google.common.base.Throwables;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.Benchmark;
import io.orchestra.hadoop.testbed.bench.report.ResultDirectory;
import io.orchestra.hadoop.testbed.bench.result.ExperimentResult;
import io.orchestra.hadoop.testbed.bench.result.Machine;
import io.orchestra.hadoop.testbed.bench.result.RunResult;
import io.orchestra.hadoop.testbed.bench.result.RunSetup;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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
    ResultDirectory directory = new ResultDirectory(options.output(), environment.progress());
    directory.prepare();
    RunSetup setup =
        new RunSetup(
            benchmark,
            options,
            Instant.now(),
            Machine.ofThisProcess(),
            ProjectCommit.of(environment.project().root()));
    introduce(setup);
    MeasuredRun run =
        new MeasuredRun(
            environment,
            setup,
            results -> directory.writeJson(unfinished(setup, results, "it has not ended yet")));
    try {
      benchmark.run(run);
    } catch (Exception | Error failure) {
      keep(setup, run, directory, failure);
      throw failure;
    }
    RunResult result = RunResult.of(setup, run.results(), Optional.empty());
    directory.writeAll(result);
    return result;
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
    // Files cannot be written by a thread that is marked as interrupted.
    boolean interrupted = Thread.interrupted();
    try {
      directory.writeFailure(Throwables.getStackTraceAsString(failure));
      directory.writeAll(unfinished(setup, run.results(), failure.getMessage()));
    } catch (RuntimeException alsoFailed) {
      failure.addSuppressed(alsoFailed);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RunResult unfinished(RunSetup setup, List<ExperimentResult> results, String why) {
    return RunResult.of(setup, results, Optional.of(String.valueOf(why)));
  }
}
