package io.orchestra.hadoop.testbed.bench.report;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.bench.result.EarlierRun;
import io.orchestra.hadoop.testbed.bench.result.RunResult;
import io.orchestra.hadoop.testbed.bench.result.RunSetup;
import io.orchestra.hadoop.testbed.bench.result.TrialResult;
import io.orchestra.hadoop.testbed.files.FileTree;
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

  /** Makes the directory for a new run; fails if nothing can be written there. */
  public void prepare() {
    FileTree.directory(directory);
    FileTree.delete(journal().file());
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

  /** Writes {@code failure.txt}: why the run ended early. */
  public void writeFailure(String text) {
    FileTree.write(directory.resolve("failure.txt"), text);
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
