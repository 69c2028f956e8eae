package io.orchestra.hadoop.core.blockcache;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The blocks of a cache without a DataNode, and those who read them. */
public final class TestBlocks implements Closeable {
  private static final long CAPACITY = 1 << 20;
  private static final Patience NONE = new Patience(Duration.ofMillis(1), false);

  private final BlockStore store;

  /**
   * @param directory where blocks are kept
   */
  public TestBlocks(Path directory) throws IOException {
    store = BlockStore.open(new CacheDirectory(directory, () -> CAPACITY), CAPACITY);
  }

  public Optional<Lease> begin(BlockKey key, BlockPieces pieces) throws IOException {
    return store.begin(key, pieces);
  }

  /** A reader waits for a piece that does not come, and says so before it goes to HDFS. */
  public static void readInVain(CachedBlock block, int piece) throws InterruptedException {
    try {
      block.await(piece, NONE, () -> {});
    } catch (IOException e) {
      return;
    }
    throw new AssertionError("it has come");
  }

  /** {@link System#nanoTime} when readers were told last that bytes come. */
  public static long lastBytes(CachedBlock block) {
    return block.lastBytes();
  }

  /** A reader has a block open, until {@link #leave}. */
  public static void open(CachedBlock block) {
    Lease unused = block.lease();
    block.openedByReader();
  }

  public static void leave(CachedBlock block) {
    block.closedByReader(System.nanoTime());
    block.release(System.nanoTime());
  }

  @Override
  public void close() {
    store.close();
  }
}
