package io.orchestra.hadoop.testbed.bench.sample;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import java.nio.file.Path;
import java.util.List;

/**
 * What the processors of this machine have done since it started, in clock ticks of all of them.
 *
 * @param idle ticks in which there was nothing to do, or only to wait for a disk
 * @param total all ticks
 */
public record CpuTimes(long idle, long total) {
  private static final Path STAT = Path.of("/proc/stat");

  /** user, nice, system, idle, iowait, irq, softirq, steal; guests' time is in user's already. */
  private static final int FIELDS = 8;

  private static final int IDLE = 3;
  private static final int WAITING_FOR_DISK = 4;

  public static CpuTimes ofThisMachine() {
    return parse(FileTree.read(STAT));
  }

  /** Reads the first line of {@code /proc/stat}, which adds up all processors. */
  static CpuTimes parse(String stat) {
    List<String> words =
        Splitter.on(' ').omitEmptyStrings().splitToList(stat.lines().findFirst().orElse(""));
    if (words.size() <= FIELDS || !words.get(0).equals("cpu")) {
      throw new TestbedException("no times of the processors in " + STAT + ": " + stat);
    }
    List<Long> ticks = words.subList(1, FIELDS + 1).stream().map(Long::valueOf).toList();
    return new CpuTimes(
        ticks.get(IDLE) + ticks.get(WAITING_FOR_DISK),
        ticks.stream().mapToLong(Long::longValue).sum());
  }
}
