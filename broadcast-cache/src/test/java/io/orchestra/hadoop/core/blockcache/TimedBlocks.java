package io.orchestra.hadoop.core.blockcache;

import static org.awaitility.Awaitility.await;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Blocks of no cache, and who reads them; for these time passes when a test says so. */
public final class TimedBlocks implements Closeable {
  private final Path directory;
  private final AtomicLong now = new AtomicLong(System.nanoTime());
  private final List<CachedBlock> blocks = new ArrayList<>();
  private final List<Thread> readers = new ArrayList<>();

  /**
   * @param directory where blocks are kept
   */
  public TimedBlocks(Path directory) {
    this.directory = directory;
  }

  public Lease begin(BlockKey key, BlockPieces pieces) throws IOException {
    FileChannel file =
        FileChannel.open(
            directory.resolve("timed" + blocks.size()),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    CachedBlock block = new CachedBlock(key, pieces, file, now.get(), now::get);
    blocks.add(block);
    return block.lease();
  }

  /**
   * A localizer has a block open while it waits for a piece. Returns when it waits.
   *
   * @param limit of its wait, unless the block is said to be coming
   */
  public CompletableFuture<Void> read(CachedBlock block, int piece, Duration limit) {
    Lease lease = block.lease();
    block.openedByReader();
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                block.await(piece, new Patience(limit, true), () -> {});
                end.complete(null);
              } catch (IOException | InterruptedException e) {
                end.completeExceptionally(e);
              } finally {
                block.closedByReader(now.get());
                lease.close();
              }
            });
    reader.setDaemon(true);
    reader.start();
    readers.add(reader);
    awaitReaders();
    return end;
  }

  /** Returns when all readers, who have seen that, wait again or wait no more. */
  public void pass(Duration time) {
    now.addAndGet(time.toNanos());
    for (CachedBlock block : blocks) {
      synchronized (block) {
        block.notifyAll();
      }
    }
    awaitReaders();
  }

  private void awaitReaders() {
    await()
        .pollInterval(Duration.ofMillis(10))
        .until(
            () ->
                readers.stream()
                    .allMatch(
                        reader ->
                            reader.getState() == Thread.State.TIMED_WAITING || !reader.isAlive()));
  }

  @Override
  public void close() throws IOException {
    for (CachedBlock block : blocks) {
      block.close();
    }
  }
}
