package io.orchestra.hadoop.prefetch.traffic;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program tc of iproute2, with an environment of its own. */
final class Tc {
  private static final List<Path> PLACES = List.of(Path.of("/sbin/tc"), Path.of("/usr/sbin/tc"));
  private static final int LONGEST_SECONDS = 5;

  private final Path program;

  private Tc(Path program) {
    this.program = program;
  }

  /**
   * @throws IOException if it is not installed
   */
  static Tc find() throws IOException {
    return new Tc(
        PLACES.stream()
            .filter(Files::isExecutable)
            .findFirst()
            .orElseThrow(() -> new IOException("install iproute2: there is none of " + PLACES)));
  }

  /** The queues of a device. */
  String show(String device) throws IOException {
    return run("", "qdisc", "show", "dev", device);
  }

  /**
   * @throws IOException with what tc says, if it refuses one of the lines
   */
  void batch(List<String> lines) throws IOException {
    String unused = run(String.join("\n", lines) + "\n", "-batch", "-");
  }

  private String run(String input, String... words) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(program.toString());
    builder.command().addAll(List.of(words));
    builder.environment().clear();
    Process process = builder.redirectErrorStream(true).start();
    try {
      process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().close();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("tc: " + output.lines().findFirst().orElse("it does not end"));
      }
      return output;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while tc ran", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
