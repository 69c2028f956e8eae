package io.orchestra.hadoop.testbed.process;

import io.orchestra.hadoop.testbed.TestbedException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A span of work of one thread that a signal ends in order: at SIGINT or SIGTERM the thread is
 * interrupted, and this process ends only after the span is closed, or after a minute.
 *
 * <p>The same thread opens and closes it. Such spans may lie within one another; while one of them
 * is ending no signal disturbs its thread.
 */
public final class SignalScope implements AutoCloseable {
  private static final int LONGEST_SECONDS = 60;

  /** All that are open; also the lock of what they share. */
  private static final Set<SignalScope> OPEN = new HashSet<>();

  private final Thread worker = Thread.currentThread();
  private final Thread hook = new Thread(this::endInOrder, "orchestra-signal");
  private final CountDownLatch closed = new CountDownLatch(1);
  private boolean ending;
  private boolean interruptAtClose;

  private SignalScope() {}

  /** Begins such a span; fails if a signal has come already. */
  public static SignalScope begin() {
    SignalScope scope = new SignalScope();
    try {
      Runtime.getRuntime().addShutdownHook(scope.hook);
    } catch (IllegalStateException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted", e);
    }
    synchronized (OPEN) {
      OPEN.add(scope);
    }
    return scope;
  }

  /**
   * The thread begins to take back what it did: an interrupt from before, and a signal from now on,
   * interrupt it only at the end of the span.
   */
  public void beginEnd() {
    synchronized (OPEN) {
      ending = true;
      interruptAtClose |= Thread.interrupted();
    }
  }

  @Override
  public void close() {
    beginEnd();
    synchronized (OPEN) {
      OPEN.remove(this);
    }
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyShuttingDown) {
      // Then the hook is running, and the latch has let it end.
    }
    if (interruptAtClose) {
      worker.interrupt();
    }
  }

  private void endInOrder() {
    interrupt();
    try {
      if (!closed.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("gave up cleaning up; 'orchestra cluster down' does the rest");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void interrupt() {
    synchronized (OPEN) {
      List<SignalScope> ending =
          OPEN.stream().filter(scope -> scope.worker == worker && scope.ending).toList();
      ending.forEach(scope -> scope.interruptAtClose = true);
      if (ending.isEmpty()) {
        worker.interrupt();
      }
    }
  }
}
