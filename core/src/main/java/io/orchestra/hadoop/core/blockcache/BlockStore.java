package io.orchestra.hadoop.core.blockcache;

import com.google.common.util.concurrent.RateLimiter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks of one DataNode's cache, under a budget of bytes, and no more than {@value
 * #MOST_BLOCKS}. A block counts with its whole length from the moment it is begun.
 *
 * <p>Files are deleted as soon as they are open: whatever ends the process also frees the disk, and
 * there is nothing to clean up at the next start. Safe for concurrent use; nobody waits for the
 * disk under its lock, since readers of other blocks need that.
 */
final class BlockStore implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(BlockStore.class);

  /** Each has a file open, of which the DataNode may have so many and no more. */
  static final int MOST_BLOCKS = 1024;

  private final CacheDirectory directory;
  private final long capacity;
  private final AtomicLong evictions = new AtomicLong();
  private final RateLimiter warnings = RateLimiter.create(1.0 / 60);

  // Guarded by this.
  private final Map<BlockKey, CachedBlock> blocks = new HashMap<>();
  private final List<CachedBlock> dropped = new ArrayList<>();
  private long used;
  private boolean closed;

  private BlockStore(CacheDirectory directory, long capacity) {
    this.directory = directory;
    this.capacity = capacity;
  }

  /**
   * @param capacity bytes
   * @throws IOException if files cannot be made in {@code directory}
   */
  static BlockStore open(CacheDirectory directory, long capacity) throws IOException {
    directory.make();
    directory.newFile().close();
    return new BlockStore(directory, capacity);
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
   * Begins a block, or finds it begun, also if it is suspended. One that is shorter gives way,
   * unless somebody holds it: whoever had it brought knew less of it, or lied. Blocks nobody holds
   * a lease of make room, the longest unused first.
   *
   * @return empty if there is no room for it, in the budget or on the disk
   * @throws IOException if the disk refuses
   */
  Optional<Lease> begin(BlockKey key, BlockPieces pieces) throws IOException {
    try {
      Optional<Lease> known = again(key, pieces, directory.free());
      if (known.isPresent()) {
        return known;
      }
      // Whoever cleans up temporary files may have taken it.
      directory.make();
      // What gave way is on the disk until then.
      closeDropped();
      long free = directory.free();
      if (!fits(1, pieces.blockLength(), free)) {
        return Optional.empty();
      }
      FileChannel file = directory.newFile();
      Optional<Lease> begun = begin(key, pieces, file, free);
      if (begun.isEmpty()) {
        file.close();
        // Another may have been faster.
        return again(key, pieces, free);
      }
      return begun;
    } finally {
      closeDropped();
    }
  }

  /** Empty if it has to be begun: it is not here, or is not any more. */
  private synchronized Optional<Lease> again(BlockKey key, BlockPieces pieces, long free) {
    CachedBlock known = blocks.get(key);
    if (closed || known == null) {
      return Optional.empty();
    }
    if (has(key) && !isOutgrown(known, pieces)) {
      return find(key);
    }
    // Its length counts already, but the disk may have less room than when it was begun.
    Optional<Lease> resumed = known.resume(pieces);
    if (resumed.isPresent() && makeRoom(0, free)) {
      return resumed;
    }
    resumed.ifPresent(Lease::close);
    remove(key);
    return Optional.empty();
  }

  /** Empty if there is no room for it any more, or somebody else has begun it. */
  private synchronized Optional<Lease> begin(
      BlockKey key, BlockPieces pieces, FileChannel file, long free) {
    if (closed
        || blocks.containsKey(key)
        || !makeRoom(pieces.blockLength(), free)
        || !makePlace()) {
      return Optional.empty();
    }
    CachedBlock block = new CachedBlock(key, pieces, file, System.nanoTime());
    blocks.put(key, block);
    used += pieces.blockLength();
    return Optional.of(block.lease());
  }

  private static boolean isOutgrown(CachedBlock block, BlockPieces by) {
    return !block.leased() && block.pieces().blockLength() < by.blockLength();
  }

  /**
   * Whether there is room for more, if all blocks make room that nobody holds.
   *
   * @param more blocks
   * @param bytes of all of them
   */
  boolean fits(int more, long bytes) {
    return fits(more, bytes, directory.free());
  }

  private synchronized boolean fits(int more, long bytes, long free) {
    long held = blocks.values().stream().filter(CachedBlock::leased).count();
    return !closed && held + more <= MOST_BLOCKS && hasRoom(bytes, free);
  }

  private boolean hasRoom(long bytes, long free) {
    List<CachedBlock> idle = idle();
    boolean isWithinCapacity =
        beyondCapacity(bytes) <= idle.stream().mapToLong(BlockStore::length).sum();
    // Of a block that nobody brings any more a part may be there.
    boolean isOnDisk =
        beyondDisk(bytes, free) <= idle.stream().mapToLong(CachedBlock::written).sum();
    if (isWithinCapacity && !isOnDisk && warnings.tryAcquire()) {
      LOG.warn(
          "The disk of {} is all but full: {} bytes find no room (told at most once a minute)",
          directory,
          bytes);
    }
    return isWithinCapacity && isOnDisk;
  }

  private long beyondCapacity(long more) {
    return used + more - capacity;
  }

  private long beyondDisk(long more, long free) {
    return missing() + more - free;
  }

  private static long length(CachedBlock block) {
    return block.pieces().blockLength();
  }

  /** Drops nothing if that would not help. */
  private boolean makeRoom(long bytes, long free) {
    if (!hasRoom(bytes, free)) {
      return false;
    }
    long beyondCapacity = beyondCapacity(bytes);
    long beyondDisk = beyondDisk(bytes, free);
    for (CachedBlock block : idle()) {
      if (beyondCapacity <= 0 && beyondDisk <= 0) {
        break;
      }
      evict(block);
      beyondCapacity -= length(block);
      beyondDisk -= block.written();
    }
    return true;
  }

  /** So that there may be one block more. */
  private boolean makePlace() {
    if (blocks.size() >= MOST_BLOCKS) {
      idle().stream().findFirst().ifPresent(this::evict);
    }
    return blocks.size() < MOST_BLOCKS;
  }

  private void evict(CachedBlock block) {
    remove(block.key());
    evictions.incrementAndGet();
  }

  /** Bytes of blocks begun that the disk is still to take. */
  private long missing() {
    return blocks.values().stream().mapToLong(CachedBlock::missing).sum();
  }

  /** The blocks without a lease, the longest unused first. */
  private List<CachedBlock> idle() {
    // A sort must not see times change.
    Map<CachedBlock, Long> lastUses = new HashMap<>();
    for (CachedBlock block : blocks.values()) {
      if (!block.leased()) {
        lastUses.put(block, block.lastUse());
      }
    }
    return lastUses.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Drops what has been idle for longer than {@code limit}, and what has failed for good. */
  void dropIdle(Duration limit) {
    removeIdle(limit);
    closeDropped();
  }

  private synchronized void removeIdle(Duration limit) {
    long now = System.nanoTime();
    for (CachedBlock block : List.copyOf(blocks.values())) {
      boolean old = now - block.lastUse() > limit.toNanos();
      boolean failed = block.failure().isPresent() && !block.isSuspended();
      if (!block.leased() && (old || failed)) {
        remove(block.key());
      }
    }
  }

  private void remove(BlockKey key) {
    CachedBlock block = blocks.remove(key);
    if (block != null) {
      used -= block.pieces().blockLength();
      dropped.add(block);
    }
  }

  private void closeDropped() {
    List<CachedBlock> closing;
    synchronized (this) {
      closing = List.copyOf(dropped);
      dropped.clear();
    }
    for (CachedBlock block : closing) {
      try {
        block.close();
      } catch (IOException e) {
        LOG.warn("The file of {} in the block cache did not close", block.key(), e);
      }
    }
  }

  /** How many blocks are here. */
  synchronized int count() {
    return blocks.size();
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
  public void close() {
    synchronized (this) {
      closed = true;
      List.copyOf(blocks.keySet()).forEach(this::remove);
    }
    closeDropped();
  }
}
