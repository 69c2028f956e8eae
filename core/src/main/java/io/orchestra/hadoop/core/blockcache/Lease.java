package io.orchestra.hadoop.core.blockcache;

import java.io.Closeable;
import java.util.concurrent.atomic.AtomicBoolean;

/** The right to a block of the cache: it is not evicted before this is closed. */
public final class Lease implements Closeable {
  private final CachedBlock block;
  private final AtomicBoolean closed = new AtomicBoolean();

  Lease(CachedBlock block) {
    this.block = block;
  }

  public CachedBlock block() {
    return block;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      block.release(System.nanoTime());
    }
  }
}
