package io.orchestra.hadoop.testbed.process;

import io.orchestra.hadoop.testbed.TestbedException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A span of work of one thread that a signal ends in order: at SIGINT or SIGTERM the thread is
 * interrupted, and this process ends only after the span is closed, or after a minute.
 *
 * <p>The same thread opens and closes it.
 */
public final class SignalScope implements AutoCloseable {
  private static final int LONGEST_SECONDS = 60;

  private final Thread worker = Thread.currentThread();
  private final Thread hook = new Thread(this::endInOrder, "orchestra-signal");
  private final CountDownLatch closed = new CountDownLatch(1);
  private boolean ending;
  private boolean interruptedBefore;

  private SignalScope() {}

  /** Begins such a span; fails if a signal has come already. */
  public static SignalScope begin() {
    SignalScope scope = new SignalScope();
    try {
      Runtime.getRuntime().addShutdownHook(scope.hook);
    } catch (IllegalStateException e) {
      throw new TestbedException("interrupted", e);
    }
    return scope;
  }

  /**
   * The thread begins to take back what it did: until the end of the span no signal interrupts it,
   * and an interrupt from before waits until then.
   */
  public synchronized void beginEnd() {
    ending = true;
    interruptedBefore |= Thread.interrupted();
  }

  @Override
  public void close() {
    beginEnd();
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyShuttingDown) {
      // Then the hook is running, and the latch has let it end.
    }
    if (interruptedBefore) {
      worker.interrupt();
    }
  }

  private void endInOrder() {
    synchronized (this) {
      if (!ending) {
        worker.interrupt();
      }
    }
    try {
      if (!closed.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("gave up cleaning up; 'orchestra cluster down' does the rest");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
