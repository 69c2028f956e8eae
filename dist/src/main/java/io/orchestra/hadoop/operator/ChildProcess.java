package io.orchestra.hadoop.operator;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that this one has started and waits for. It ends when it is closed, and when a signal
 * ends this program before, with all that it has begun.
 */
public final class ChildProcess implements AutoCloseable {
  /** For a program to end what it has begun itself. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final Thread hook = new Thread(this::end, "orchestra-end-child");

  /** Null until it has started. */
  private Process process;

  private ChildProcess() {}

  /**
   * @throws IOException if it cannot be started, or a signal has come
   */
  public static ChildProcess start(ProcessBuilder builder) throws IOException {
    ChildProcess child = new ChildProcess();
    child.begin(builder);
    return child;
  }

  private synchronized void begin(ProcessBuilder builder) throws IOException {
    try {
      // First: a signal that comes while it starts then waits until there is something to end.
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      throw new IOException("interrupted", e);
    }
    try {
      process = builder.start();
    } catch (IOException e) {
      removeHook();
      throw e;
    }
  }

  /** Waits for its end and returns its status. */
  public int await() throws InterruptedException {
    return process().waitFor();
  }

  /** Waits for its end, but no longer than that, and returns whether it has ended. */
  public boolean await(Duration longest) throws InterruptedException {
    return process().waitFor(longest.toMillis(), TimeUnit.MILLISECONDS);
  }

  private synchronized Process process() {
    return process;
  }

  /** Ends it if it still runs. What a program that has ended left behind is not ours. */
  @Override
  public void close() {
    end();
    removeHook();
  }

  private void removeHook() {
    try {
      boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyShuttingDown) {
      // Then the hook does it.
    }
  }

  private synchronized void end() {
    if (process == null || !process.isAlive()) {
      return;
    }
    // Of a program that has ended nobody knows what it has begun.
    List<ProcessHandle> begun = process.descendants().toList();
    process.destroy();
    boolean ended = false;
    try {
      ended = process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!ended) {
      process.destroyForcibly();
    }
    begun.forEach(ProcessHandle::destroyForcibly);
  }
}
