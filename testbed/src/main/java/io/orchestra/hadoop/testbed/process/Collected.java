package io.orchestra.hadoop.testbed.process;

import com.google.common.io.ByteStreams;
import io.orchestra.hadoop.testbed.DaemonThread;
import io.orchestra.hadoop.testbed.TestbedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Feeds a program its input and collects all it writes, each in a thread of its own. */
final class Collected {
  private final CompletableFuture<String> output;
  private final CompletableFuture<String> error;

  Collected(Process process, String input) {
    this.output = text(process.getInputStream());
    this.error = text(process.getErrorStream());
    inBackground(() -> write(process.getOutputStream(), input));
  }

  /** Waits for the program's end and for the end of its output. */
  Command.Outcome outcome(StartedProgram program, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    int status = program.await(limit);
    try {
      // A program that it has left behind may keep the pipes open.
      CompletableFuture.allOf(output, error)
          .get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      return new Command.Outcome(status, output.join(), error.join());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while reading from " + program.name(), e);
    } catch (TimeoutException | ExecutionException e) {
      throw new TestbedException("cannot read all that " + program.name() + " writes", e);
    }
  }

  private static void write(OutputStream stream, String input) {
    try (stream) {
      stream.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // A program that ends before it has read everything says why in its exit status.
    }
  }

  private static CompletableFuture<String> text(InputStream stream) {
    CompletableFuture<String> text = new CompletableFuture<>();
    inBackground(
        () -> {
          try {
            text.complete(new String(ByteStreams.toByteArray(stream), StandardCharsets.UTF_8));
          } catch (IOException e) {
            text.completeExceptionally(new CompletionException(e));
          }
        });
    return text;
  }

  private static void inBackground(Runnable task) {
    DaemonThread.of("orchestra-program-stream", task).start();
  }
}
