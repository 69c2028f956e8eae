package io.orchestra.hadoop.testbed.bench.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What figures depend on beside the benchmark.
 *
 * @param processors how many
 * @param congestionControl of TCP, such as {@code cubic}: emulated hosts have that of the machine
 */
public record Machine(int processors, String congestionControl) {
  private static final Path CONGESTION_CONTROL =
      Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

  public static Machine ofThisProcess() {
    return new Machine(Runtime.getRuntime().availableProcessors(), read(CONGESTION_CONTROL));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }
}
