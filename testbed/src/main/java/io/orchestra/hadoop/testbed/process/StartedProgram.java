package io.orchestra.hadoop.testbed.process;

import com.google.common.util.concurrent.Uninterruptibles;
import io.orchestra.hadoop.testbed.TestbedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A program that runs beside this one, until its own end or until it is closed. */
public final class StartedProgram implements AutoCloseable {
  private static final int LONGEST_END_SECONDS = 60;

  private final String name;
  private final Process process;

  StartedProgram(String name, Process process) {
    this.name = name;
    this.process = process;
  }

  public String name() {
    return name;
  }

  Process process() {
    return process;
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for its own end and returns the exit status; fails at the limit, and it goes on. */
  public int await(Duration limit) {
    try {
      if (process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
        return process.exitValue();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted during " + name, e);
    }
    throw new TestbedException(name + " has not ended within " + limit.toSeconds() + " s");
  }

  /** The program it has started, if it has started one. */
  public Optional<ProcessHandle> child() {
    return process.children().findFirst();
  }

  /** The programs it has started, and those that they have. */
  public List<ProcessHandle> descendants() {
    return process.descendants().toList();
  }

  /**
   * Kills it and its descendants and waits until they are gone, unless it has ended by itself: what
   * it then leaves behind is meant to stay. Works in interrupted threads too.
   */
  @Override
  public void close() {
    if (!process.isAlive()) {
      return;
    }
    List<ProcessHandle> all = new ArrayList<>(descendants());
    all.add(process.toHandle());
    all.forEach(ProcessHandle::destroyForcibly);
    awaitEnd(all);
  }

  private void awaitEnd(List<ProcessHandle> handles) {
    CompletableFuture<Void> end =
        CompletableFuture.allOf(
            handles.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new));
    try {
      Uninterruptibles.getUninterruptibly(end, LONGEST_END_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new TestbedException(name + " was killed and does not end", e);
    }
  }
}
