package io.orchestra.hadoop.shuffle.reduce;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.core.daemon.GuardedTask;
import java.io.Closeable;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends connections whose hosts take too long in all: the timeout of a read begins anew with every
 * byte. Safe for concurrent use.
 */
final class Deadlines implements Closeable {
  /** A connection that has not been made when its time is over is ended when it has. */
  private static final long AGAIN_MILLIS = 100;

  /** What must have ended in time. */
  @FunctionalInterface
  interface Exchange<T> {
    T run() throws IOException;
  }

  private final ScheduledThreadPoolExecutor thread;

  Deadlines() {
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            new ThreadFactoryBuilder()
                .setNameFormat("orchestra-shuffle-deadlines")
                .setDaemon(true)
                .build());
    thread.setRemoveOnCancelPolicy(true);
    thread.setContinueExistingPeriodicTasksAfterShutdownPolicy(true);
  }

  /**
   * @param connection that the exchange uses
   * @throws SocketTimeoutException if it has taken longer
   * @throws IOException if it has failed earlier
   */
  <T> T within(long millis, HttpURLConnection connection, Exchange<T> exchange) throws IOException {
    AtomicBoolean over = new AtomicBoolean();
    Future<?> end =
        thread.scheduleWithFixedDelay(
            new GuardedTask(
                "Ending a connection whose time is over",
                () -> {
                  over.set(true);
                  connection.disconnect();
                }),
            millis,
            AGAIN_MILLIS,
            TimeUnit.MILLISECONDS);
    try {
      return exchange.run();
    } catch (IOException | RuntimeException e) {
      // Java's connections are not made to be ended by another thread.
      if (over.get()) {
        throw late(connection, millis, e);
      }
      throw e;
    } finally {
      end.cancel(false);
    }
  }

  private static IOException late(HttpURLConnection connection, long millis, Exception cause) {
    IOException late =
        new SocketTimeoutException(
            "%s has not answered in %d ms".formatted(connection.getURL(), millis));
    late.initCause(cause);
    return late;
  }

  /** What is under way still ends in time. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
