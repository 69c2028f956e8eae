package io.orchestra.hadoop.core.daemon;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.io.Closeable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A thread of a daemon that does the same again and again until it is closed. */
public final class RepeatedTask implements Closeable {
  private final ScheduledExecutorService timer;

  private RepeatedTask(ScheduledExecutorService timer) {
    this.timer = timer;
  }

  /**
   * @param thread its name
   * @param first time until it begins
   * @param pause from the end of one round to the next, so that none is made up for after a stall
   * @param tasks of each round, one after the other, whatever becomes of those before
   */
  public static RepeatedTask start(
      String thread, Duration first, Duration pause, GuardedTask... tasks) {
    List<GuardedTask> round = List.of(tasks);
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            new ThreadFactoryBuilder().setNameFormat(thread).setDaemon(true).build());
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(
            () -> round.forEach(GuardedTask::run),
            first.toNanos(),
            pause.toNanos(),
            TimeUnit.NANOSECONDS);
    return new RepeatedTask(timer);
  }

  /** Interrupts a round that is not over, and does not wait for its end. */
  @Override
  public void close() {
    timer.shutdownNow();
  }
}
