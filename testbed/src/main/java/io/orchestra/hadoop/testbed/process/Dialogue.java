package io.orchestra.hadoop.testbed.process;

import io.orchestra.hadoop.testbed.DaemonThread;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.LogTail;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A running program that this process talks with, line by line in UTF-8, over its standard input
 * and output.
 *
 * <p>What it writes is read at once and kept until it is asked for, so it never waits for this
 * process. One thread may send while another receives.
 */
public final class Dialogue implements AutoCloseable {
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(5);

  private final StartedProgram program;
  private final Path log;
  private final BufferedWriter input;
  private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();

  Dialogue(StartedProgram program, Path log) {
    this.program = program;
    this.log = log;
    this.input = program.process().outputWriter(StandardCharsets.UTF_8);
    DaemonThread.of("orchestra-dialogue", this::read).start();
  }

  /** Writes one line to the program; fails if it does not read any more. */
  public void send(String line) {
    try {
      input.write(line);
      input.write('\n');
      input.flush();
    } catch (IOException e) {
      throw new TestbedException(program.name() + " reads no more: see " + log, e);
    }
  }

  /**
   * The next line that the program writes; fails if there is none within the limit, if it ends or
   * if this thread is interrupted.
   */
  public String receive(Duration limit) {
    Optional<String> line;
    try {
      line = lines.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while listening to " + program.name(), e);
    }
    if (line == null) {
      throw new TestbedException(
          program.name()
              + " has said nothing for "
              + limit.toSeconds()
              + " s; its log:\n"
              + LogTail.of(log));
    }
    if (line.isEmpty()) {
      lines.add(line);
      throw new TestbedException(program.name() + " has ended; its log:\n" + LogTail.of(log));
    }
    return line.get();
  }

  public StartedProgram program() {
    return program;
  }

  /** Ends its input: by this most programs end themselves. */
  public void endInput() {
    try {
      input.close();
    } catch (IOException e) {
      // It reads no more.
    }
  }

  /** Ends its input, gives it five seconds to end by itself, and then kills it. */
  @Override
  public void close() {
    endInput();
    try {
      program.await(LONGEST_GOODBYE);
    } catch (TestbedException e) {
      // It does not end in time, or this thread is in a hurry: then it is killed.
    } finally {
      program.close();
    }
  }

  private void read() {
    try (BufferedReader output = program.process().inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(Optional.of(line));
      }
    } catch (IOException e) {
      // It was killed.
    } finally {
      lines.add(Optional.empty());
    }
  }
}
