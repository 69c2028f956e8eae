package io.orchestra.hadoop.testbed.bench.sample;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import java.nio.file.Path;
import java.util.List;

/**
 * Processor time that a process has used since it started.
 *
 * @param own seconds
 * @param ended seconds of its children, and of theirs, that have ended
 */
public record ProcessTimes(double own, double ended) {
  /** Linux tells these times in hundredths of a second, whatever its own clock is. */
  private static final double TICKS = 100;

  /** In user mode; the next are in the kernel, and the same of children. */
  private static final int FIRST = 11;

  private static final int FIELDS = 4;

  /**
   * @param process its directory in {@code /proc}
   */
  public static ProcessTimes of(Path process) {
    return parse(FileTree.read(process.resolve("stat")));
  }

  /** Reads a process's {@code stat}, behind its name, in which there may be anything. */
  static ProcessTimes parse(String stat) {
    List<String> words =
        Splitter.on(' ').splitToList(stat.substring(stat.lastIndexOf(')') + 1).strip());
    if (words.size() < FIRST + FIELDS) {
      throw new TestbedException("no times of a process in " + stat);
    }
    List<Long> ticks = words.subList(FIRST, FIRST + FIELDS).stream().map(Long::valueOf).toList();
    return new ProcessTimes(
        (ticks.get(0) + ticks.get(1)) / TICKS, (ticks.get(2) + ticks.get(3)) / TICKS);
  }
}
