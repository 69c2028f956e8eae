package io.orchestra.hadoop.core.blockcache;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** One who waits for a piece of a block, and for whom time passes when a test says so. */
final class TimedReader {
  private final AtomicLong now = new AtomicLong();
  private final CachedBlock block;
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private final Thread thread;

  /** Returns when it waits. */
  TimedReader(BlockPieces pieces, int piece, Patience patience) {
    block = new CachedBlock(new BlockKey("pool", 1, 7), pieces, null, now.get(), now::get);
    thread = new Thread(() -> read(piece, patience));
    thread.setDaemon(true);
    thread.start();
    awaitWaiting();
  }

  private void read(int piece, Patience patience) {
    try {
      block.await(piece, patience, () -> {});
      end.complete(null);
    } catch (IOException | InterruptedException e) {
      end.completeExceptionally(e);
    }
  }

  CachedBlock block() {
    return block;
  }

  /** Fails if the reader goes to HDFS. */
  CompletableFuture<Void> end() {
    return end;
  }

  /** Returns when the reader, who has seen that, waits again or waits no more. */
  void pass(Duration time) {
    synchronized (block) {
      now.addAndGet(time.toNanos());
      block.notifyAll();
    }
    awaitWaiting();
  }

  private void awaitWaiting() {
    await()
        .pollInterval(Duration.ofMillis(10))
        .until(() -> thread.getState() == Thread.State.TIMED_WAITING || !thread.isAlive());
  }
}
