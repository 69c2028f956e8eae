package io.orchestra.hadoop.core.blockcache;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The blocks of a cache without a DataNode, and those who read them. */
public final class TestBlocks implements Closeable {
  private static final long CAPACITY = 1 << 20;

  private final BlockStore store;

  /**
   * @param directory where blocks are kept
   */
  public TestBlocks(Path directory) throws IOException {
    store = BlockStore.open(new CacheDirectory(directory, () -> CAPACITY), CAPACITY);
  }

  public Lease begin(BlockKey key, BlockPieces pieces) throws IOException {
    return store.begin(key, pieces).orElseThrow();
  }

  /** Whether a reader would find a block. */
  public boolean has(BlockKey key) {
    return store.has(key);
  }

  /**
   * A localizer has a block open while it waits for a piece.
   *
   * @param limit of its wait, unless the block is said to be coming
   */
  public static CompletableFuture<Void> read(CachedBlock block, int piece, Duration limit) {
    Lease lease = block.lease();
    block.openedByReader();
    return CompletableFuture.runAsync(
        () -> {
          try {
            block.await(piece, new Patience(limit, true), () -> {});
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e.getMessage(), e);
          } finally {
            block.closedByReader(System.nanoTime());
            lease.close();
          }
        });
  }

  @Override
  public void close() {
    store.close();
  }
}
