package io.orchestra.hadoop.testbed.bench.report;

import com.google.common.base.Throwables;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.result.EarlierRun;
import io.orchestra.hadoop.testbed.bench.result.RunResult;
import io.orchestra.hadoop.testbed.bench.result.RunSetup;
import io.orchestra.hadoop.testbed.bench.result.TrialResult;
import io.orchestra.hadoop.testbed.files.FileTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The directory that a run leaves behind. */
public final class ResultDirectory {
  static final String REPORT = "report.md";

  private final Path directory;
  private final Progress progress;

  public ResultDirectory(Path directory, Progress progress) {
    this.directory = directory;
    this.progress = progress;
  }

  /** Makes the directory for a new run; fails if there is another one's, or nothing can be. */
  public void prepare() {
    Path journal = journal().file();
    if (Files.exists(journal)) {
      throw new TestbedException(
          "%s is of an earlier run: name another directory with --out, or go on with that run by --continue %s"
              .formatted(journal, directory));
    }
    FileTree.directory(directory);
  }

  /** Notes that a run begins, or goes on. */
  public void begin(RunSetup setup) {
    FileTree.delete(directory.resolve("failure.txt"));
    journal().begin(setup);
  }

  /** What an earlier run has left here. */
  public EarlierRun earlier() {
    return journal().read();
  }

  /** Keeps a repetition that is complete, for {@link #earlier}. */
  public void append(String experiment, List<TrialResult> repetition) {
    journal().append(experiment, repetition);
  }

  private Journal journal() {
    return new Journal(directory.resolve("repetitions.jsonl"));
  }

  /** Writes {@code result.json} only. */
  public void writeJson(RunResult result) {
    FileTree.write(directory.resolve("result.json"), ResultJson.of(result));
  }

  /** Writes {@code result.json}, the plots, and {@code report.md}. */
  public void writeAll(RunResult result) {
    writeJson(result);
    FileTree.write(directory.resolve(REPORT), new Report(result, plots(result)).text());
  }

  /** Keeps why the run ended early: for people {@code failure.txt}, for good the reason. */
  public void fail(Throwable failure) {
    FileTree.write(directory.resolve("failure.txt"), Throwables.getStackTraceAsString(failure));
    journal().end(String.valueOf(failure.getMessage()));
  }

  /** Draws all plots; a machine that cannot draw still gets a report. */
  private List<Plot> plots(RunResult result) {
    List<Plot> plots = Plot.all(result);
    FileTree.directory(directory.resolve(Plot.DIRECTORY));
    try {
      plots.forEach(plot -> plot.write(directory));
      return plots;
    } catch (RuntimeException | LinkageError | InternalError e) {
      // Java without fonts fails with one of these errors, depending on what it misses.
      progress.say("no plots, because drawing failed: " + e);
      return List.of();
    }
  }
}
