package io.orchestra.hadoop.core.daemon;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes in whoever connects, one after the other, until the listener is closed. Who cannot be taken
 * in keeps nobody else out.
 */
public final class Acceptor implements Runnable {
  /** After a failure: threads, files or memory may be short for a while. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final ServerSocketChannel listener;
  private final Taker taker;
  private final GuardedTask next;

  /** What is done with a connection. */
  @FunctionalInterface
  public interface Taker {
    /** Returns soon. The connection is the taker's, also if it fails. */
    void take(SocketChannel connection) throws IOException;
  }

  /**
   * @param who connects, for the log
   */
  public Acceptor(String who, ServerSocketChannel listener, Taker taker) {
    this.listener = listener;
    this.taker = taker;
    next = new GuardedTask("Taking in " + who, this::acceptOne);
  }

  @Override
  public void run() {
    while (listener.isOpen()) {
      next.run();
    }
  }

  private void acceptOne() {
    try {
      taker.take(listener.accept());
    } catch (Throwable e) {
      if (listener.isOpen()) {
        LockSupport.parkNanos(PAUSE.toNanos());
        throw new IllegalStateException(e);
      }
    }
  }
}
