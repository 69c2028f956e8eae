package io.orchestra.hadoop.core.blockcache;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks of one DataNode's cache, under a budget of bytes. A block counts with its whole length
 * from the moment it is begun.
 *
 * <p>Files are deleted as soon as they are open: whatever ends the process also frees the disk, and
 * there is nothing to clean up at the next start. Safe for concurrent use.
 */
final class BlockStore implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(BlockStore.class);

  private final Path directory;
  private final long capacity;
  private final AtomicLong evictions = new AtomicLong();

  // Guarded by this.
  private final Map<BlockKey, CachedBlock> blocks = new HashMap<>();
  private long used;
  private boolean closed;

  private BlockStore(Path directory, long capacity) {
    this.directory = directory;
    this.capacity = capacity;
  }

  /**
   * @param capacity bytes
   * @throws IOException if files cannot be made in {@code directory}
   */
  static BlockStore open(Path directory, long capacity) throws IOException {
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    BlockStore store = new BlockStore(directory, capacity);
    store.newFile().close();
    return store;
  }

  /** Whether a block is here and has not failed; asking does not count as use. */
  synchronized boolean has(BlockKey key) {
    CachedBlock block = blocks.get(key);
    return block != null && block.failure().isEmpty();
  }

  /** A block that is here and has not failed. */
  synchronized Optional<Lease> find(BlockKey key) {
    return has(key) ? Optional.of(blocks.get(key).lease()) : Optional.empty();
  }

  /**
   * Begins a block, or finds it begun. Blocks nobody holds a lease of make room, the longest unused
   * first.
   *
   * @return empty if there is no room for it
   * @throws IOException if the disk refuses
   */
  synchronized Optional<Lease> begin(BlockKey key, BlockPieces pieces) throws IOException {
    if (closed) {
      return Optional.empty();
    }
    Optional<Lease> begun = find(key);
    if (begun.isPresent()) {
      return begun;
    }
    remove(key);
    if (!makeRoom(pieces.blockLength())) {
      return Optional.empty();
    }
    CachedBlock block = new CachedBlock(key, pieces, newFile(), System.nanoTime());
    blocks.put(key, block);
    used += pieces.blockLength();
    return Optional.of(block.lease());
  }

  private boolean makeRoom(long bytes) {
    if (bytes > capacity) {
      return false;
    }
    List<CachedBlock> idle = new ArrayList<>(blocks.values());
    idle.removeIf(CachedBlock::leased);
    idle.sort(Comparator.comparingLong(block -> block.lastUse()));
    for (CachedBlock block : idle) {
      if (used + bytes <= capacity) {
        break;
      }
      remove(block.key());
      evictions.incrementAndGet();
    }
    return used + bytes <= capacity;
  }

  /** Drops what has been idle for longer than {@code limit}, and what has failed. */
  synchronized void dropIdle(Duration limit) {
    long now = System.nanoTime();
    for (CachedBlock block : List.copyOf(blocks.values())) {
      boolean old = now - block.lastUse() > limit.toNanos();
      if (!block.leased() && (old || block.failure().isPresent())) {
        remove(block.key());
      }
    }
  }

  private void remove(BlockKey key) {
    CachedBlock block = blocks.remove(key);
    if (block != null) {
      used -= block.pieces().blockLength();
      close(block);
    }
  }

  private static void close(CachedBlock block) {
    try {
      block.close();
    } catch (IOException e) {
      LOG.warn("The file of {} in the block cache did not close", block.key(), e);
    }
  }

  private FileChannel newFile() throws IOException {
    Path name = directory.resolve(UUID.randomUUID().toString());
    FileChannel file = FileChannel.open(name, CREATE_NEW, READ, WRITE);
    try {
      Files.delete(name);
      return file;
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  synchronized List<CachedBlock> blocks() {
    return List.copyOf(blocks.values());
  }

  synchronized long used() {
    return used;
  }

  long capacity() {
    return capacity;
  }

  long evictions() {
    return evictions.get();
  }

  @Override
  public synchronized void close() {
    closed = true;
    List.copyOf(blocks.keySet()).forEach(this::remove);
  }
}
