package io.orchestra.hadoop.testbed.process;

import com.google.common.io.ByteStreams;
import io.orchestra.hadoop.testbed.TestbedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** One run of another program to its end, with its output collected. */
public record Command(List<String> words, Map<String, String> environment, String input) {

  /** How a program ended and what it wrote. */
  public record Outcome(int status, String output, String error) {
    public boolean succeeded() {
      return status == 0;
    }
  }

  public Command {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }

  public static Command of(List<String> words) {
    return new Command(words, Map.of(), "");
  }

  public static Command of(String... words) {
    return of(List.of(words));
  }

  /** The same command, reading this text from its standard input. */
  public Command reading(String text) {
    return new Command(words, environment, text);
  }

  /** Runs to the end, whatever the exit status; fails only if the program cannot be started. */
  public Outcome run() {
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().putAll(environment);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new TestbedException("cannot run " + words.get(0) + ": " + e.getMessage(), e);
    }
    try {
      CompletableFuture<String> output = text(process.getInputStream());
      CompletableFuture<String> error = text(process.getErrorStream());
      write(process);
      return new Outcome(process.waitFor(), output.join(), error.join());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted during " + words.get(0), e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Runs to the end and returns the output; any other exit status than zero is a failure. */
  public String output() {
    Outcome outcome = run();
    if (!outcome.succeeded()) {
      throw new TestbedException(
          String.join(" ", words)
              + " failed with status "
              + outcome.status()
              + ": "
              + (outcome.error().isBlank() ? outcome.output() : outcome.error()).strip());
    }
    return outcome.output();
  }

  private void write(Process process) {
    try (OutputStream stream = process.getOutputStream()) {
      stream.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // A program that ends before it has read everything says why in its exit status.
    }
  }

  private static CompletableFuture<String> text(InputStream stream) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return new String(ByteStreams.toByteArray(stream), StandardCharsets.UTF_8);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> {
          Thread thread = new Thread(task, "orchestra-command-output");
          thread.setDaemon(true);
          thread.start();
        });
  }
}
