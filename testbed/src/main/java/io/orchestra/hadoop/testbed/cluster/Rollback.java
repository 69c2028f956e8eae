package io.orchestra.hadoop.testbed.cluster;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Work that is taken back whole if it fails or the person presses Ctrl-C. */
public final class Rollback {
  private static final int LONGEST_SECONDS = 60;

  private Rollback() {}

  /**
   * Does the work; if it fails, undoes it, once, and fails. On SIGINT and SIGTERM the work is
   * interrupted and this process ends only after the undoing.
   */
  public static void onFailure(Runnable work, Runnable undo) {
    Thread worker = Thread.currentThread();
    CountDownLatch done = new CountDownLatch(1);
    Thread hook =
        new Thread(
            () -> {
              worker.interrupt();
              await(done);
            },
            "orchestra-rollback");
    Runtime.getRuntime().addShutdownHook(hook);
    boolean succeeded = false;
    try {
      work.run();
      succeeded = true;
    } finally {
      if (!succeeded) {
        // The undoing waits for processes itself and must not be interrupted by what caused it.
        Thread.interrupted();
        undo.run();
      }
      done.countDown();
      forget(hook);
    }
  }

  private static void await(CountDownLatch done) {
    try {
      if (!done.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("gave up cleaning up; 'orchestra cluster down' does the rest");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyShuttingDown) {
      // Then the hook is running, and the latch has let it end.
    }
  }
}
