package io.orchestra.hadoop.testbed.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory that looks like {@code /proc}. */
public final class ProcDirectory {
  private ProcDirectory() {}

  /** Adds a process of root's. */
  public static void addProcess(
      Path proc, int pid, String state, long ticks, String namespacePids, String... words)
      throws IOException {
    addProcess(proc, pid, state, ticks, namespacePids, 0, words);
  }

  /**
   * Adds a process.
   *
   * @param namespacePids its pid on this machine and in the namespaces below, with tabs between
   * @param user its real user
   */
  public static void addProcess(
      Path proc,
      int pid,
      String state,
      long ticks,
      String namespacePids,
      long user,
      String... words)
      throws IOException {
    Path directory = Files.createDirectories(proc.resolve(Integer.toString(pid)).resolve("ns"));
    Files.createSymbolicLink(directory.resolve("pid"), Path.of("pid:[1]"));
    Files.writeString(
        directory.resolveSibling("stat"),
        pid + " (a) b) " + state + " 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 " + ticks + " 0 0\n");
    Files.writeString(
        directory.resolveSibling("status"),
        "Name:\tx\nUid:\t" + user + "\t0\t0\t0\nNSpid:\t" + namespacePids + "\n");
    Files.writeString(directory.resolveSibling("cmdline"), String.join("\0", words) + "\0");
  }
}
