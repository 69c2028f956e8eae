package io.orchestra.hadoop.prefetch.traffic;

import com.google.common.annotations.VisibleForTesting;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The program tc of iproute2, with an environment of its own. */
final class Tc {
  private static final List<Path> PLACES = List.of(Path.of("/sbin/tc"), Path.of("/usr/sbin/tc"));
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private final Path program;
  private final Duration longest;

  /**
   * @param longest that it may take
   */
  @VisibleForTesting
  Tc(Path program, Duration longest) {
    this.program = program;
    this.longest = longest;
  }

  /**
   * @throws IOException if it is not installed
   */
  static Tc find() throws IOException {
    return new Tc(
        PLACES.stream()
            .filter(Files::isExecutable)
            .findFirst()
            .orElseThrow(() -> new IOException("install iproute2: there is none of " + PLACES)),
        LONGEST);
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
      // Whoever reads waits for the end of it.
      String output =
          CompletableFuture.supplyAsync(() -> all(process.getInputStream()))
              .get(longest.toMillis(), TimeUnit.MILLISECONDS);
      if (!process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new TimeoutException();
      }
      if (process.exitValue() != 0) {
        throw new IOException(
            "tc: " + output.lines().findFirst().orElse("status " + process.exitValue()));
      }
      return output;
    } catch (TimeoutException e) {
      throw new IOException("tc: it does not end", e);
    } catch (ExecutionException e) {
      throw new IOException("tc: " + e.getCause().getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while tc ran", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String all(InputStream output) {
    try {
      return new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
