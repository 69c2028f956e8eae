package io.orchestra.hadoop.testbed.files;

import com.google.common.base.Splitter;
import com.google.common.collect.Iterables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of a log, for messages about a program that failed. */
public final class LogTail {
  private static final int LINES = 15;

  private LogTail() {}

  /** The last lines, and where the others are. */
  public static String of(Path log) {
    if (!Files.exists(log)) {
      return "(no log)";
    }
    List<String> lines = Splitter.on('\n').omitEmptyStrings().splitToList(FileTree.read(log));
    return String.join("\n", Iterables.skip(lines, Math.max(0, lines.size() - LINES)))
        + "\nall of it: "
        + log;
  }
}
