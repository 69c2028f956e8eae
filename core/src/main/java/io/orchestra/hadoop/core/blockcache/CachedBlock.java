package io.orchestra.hadoop.core.blockcache;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import com.google.common.annotations.VisibleForTesting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.zip.Checksum;

/**
 * One block of the cache, whole or filling, in a file that has no name. Only pieces with the right
 * checksum get in.
 *
 * <p>It stays in the cache while somebody holds a {@link Lease}, and fails if it is not whole when
 * nobody but readers does any more: whoever fills it holds one. A block that is {@linkplain
 * #suspend suspended} can be begun again with what is here. Safe for concurrent use; nobody waits
 * for the disk under its lock.
 */
public final class CachedBlock {
  private static final Duration TELL_AFTER = Duration.ofSeconds(1);

  /** So many pieces beyond those that are here come soon. */
  private static final int NEAR = 16;

  /** Hears about once a second that a wait goes on. */
  @FunctionalInterface
  interface StillWaiting {
    /**
     * @throws IOException that ends the wait
     */
    void tell() throws IOException;
  }

  private final BlockKey key;
  private final BlockPieces pieces;
  private final BlockFile file;
  private final LongSupplier clock;

  /** Hear of pieces that are read. */
  private final List<IntConsumer> readings = new CopyOnWriteArrayList<>();

  // Guarded by this.
  private final BitSet present = new BitSet();
  private final List<IntConsumer> listeners = new ArrayList<>();
  private final List<WaitListener> waitListeners = new ArrayList<>();
  private PieceSums sums;
  private String failure;
  private boolean suspended;
  private boolean spoilt;
  private long bytes;
  private int leases;
  private int readers;
  private long lastBytes;
  private long lastSign;
  private long lastReader;
  private long lastUse;

  CachedBlock(BlockKey key, BlockPieces pieces, FileChannel file, long now) {
    this(key, pieces, file, now, System::nanoTime);
  }

  /**
   * @param clock on which readers wait; nanoseconds
   */
  @VisibleForTesting
  CachedBlock(BlockKey key, BlockPieces pieces, FileChannel file, long now, LongSupplier clock) {
    this.key = key;
    this.pieces = pieces;
    this.file = new BlockFile(file);
    this.clock = clock;
    this.lastUse = now;
    this.lastBytes = now;
    this.lastSign = now;
    this.lastReader = now;
  }

  public BlockKey key() {
    return key;
  }

  public BlockPieces pieces() {
    return pieces;
  }

  /**
   * Says which checksums the pieces must have. The first to say so is believed; no piece gets in
   * before.
   */
  public synchronized void expect(PieceSums expected) {
    checkArgument(expected.pieces().equals(pieces), "sums of other pieces for %s", key);
    if (sums == null) {
      sums = expected;
      notifyAll();
    }
  }

  public synchronized Optional<PieceSums> sums() {
    return Optional.ofNullable(sums);
  }

  /** The pieces that are here; a copy. */
  public synchronized BitSet present() {
    return (BitSet) present.clone();
  }

  public synchronized boolean has(int piece) {
    return present.get(piece);
  }

  public synchronized boolean complete() {
    return present.cardinality() == pieces.count();
  }

  /** Bytes that are on the disk. */
  synchronized long written() {
    return bytes;
  }

  /** Bytes that are still to come. */
  synchronized long missing() {
    return failure == null ? pieces.blockLength() - bytes : 0;
  }

  /** Why this block will not be whole; empty while it may be. */
  public synchronized Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * Keeps a piece, if it is right.
   *
   * @param data the piece; consumed if it is kept
   * @return false if the checksum or the length is wrong: nothing was kept
   * @throws IOException if the disk refuses; the block has failed then
   */
  public boolean put(int piece, ByteBuffer data) throws IOException {
    checkArgument(piece >= 0 && piece < pieces.count(), "no piece %s in %s", piece, key);
    PieceSums expected =
        sums().orElseThrow(() -> new IllegalStateException("no sums yet for " + key));
    if (!expected.matches(piece, data)) {
      return false;
    }
    if (!has(piece)) {
      write(piece, data);
      List<IntConsumer> told = added(piece);
      told.forEach(listener -> listener.accept(piece));
    }
    return true;
  }

  private void write(int piece, ByteBuffer data) throws IOException {
    try {
      file.write(pieces.position(piece), data);
    } catch (IOException e) {
      fail("the disk of the cache refuses: " + e.getMessage());
      throw e;
    }
  }

  private synchronized List<IntConsumer> added(int piece) {
    if (present.get(piece)) {
      return List.of();
    }
    present.set(piece);
    bytes += pieces.length(piece);
    lastBytes = clock.getAsLong();
    if (complete() && !spoilt) {
      // Of several who bring it one has given up, or it was on its way when it was suspended.
      suspended = false;
      failure = null;
    }
    notifyAll();
    return List.copyOf(listeners);
  }

  /**
   * Tells {@code listener} of each piece that comes from now on, on the thread that brought it.
   *
   * @return the pieces that were here before
   */
  public synchronized BitSet listen(IntConsumer listener) {
    listeners.add(listener);
    return present();
  }

  public synchronized void forget(IntConsumer listener) {
    listeners.remove(listener);
  }

  /**
   * Says that the block will not be whole, as far as its caller knows; readers that wait for a
   * piece go to HDFS. If somebody else brings all of it, it is a block as any other.
   */
  public synchronized void fail(String reason) {
    if (failure == null && present.cardinality() < pieces.count()) {
      failure = reason;
      notifyAll();
    }
  }

  /**
   * Says that nobody brings the block for now: readers that wait for a piece go to HDFS, and nobody
   * finds it any more but who begins it again.
   */
  public synchronized void suspend(String reason) {
    if (failure == null && present.cardinality() < pieces.count()) {
      fail(reason);
      suspended = true;
    }
  }

  synchronized boolean isSuspended() {
    return suspended;
  }

  /**
   * Somebody brings the block again.
   *
   * @return empty if it was not suspended, or is cut into other pieces
   */
  synchronized Optional<Lease> resume(BlockPieces wanted) {
    if (!suspended || !pieces.equals(wanted)) {
      return Optional.empty();
    }
    suspended = false;
    failure = null;
    lastSign = clock.getAsLong();
    return Optional.of(lease());
  }

  /**
   * Waits until the checksums are known. After a quarter of the limit the first piece, which brings
   * them, is said to be urgent.
   *
   * @throws IOException if the block will not be whole, or they do not come within {@code limit}
   */
  PieceSums awaitSums(Duration limit) throws IOException, InterruptedException {
    long start = clock.getAsLong();
    if (!awaitSumsUntil(start + limit.toNanos() / 4)) {
      waitListeners().forEach(listener -> listener.urgent(0));
      if (!awaitSumsUntil(start + limit.toNanos())) {
        givenUp();
        throw new IOException("no checksums of " + key);
      }
    }
    return sums().orElseThrow();
  }

  private synchronized boolean awaitSumsUntil(long end) throws IOException, InterruptedException {
    while (sums == null && end - clock.getAsLong() > 0) {
      waitUntil(end);
    }
    return sums != null;
  }

  /**
   * Waits until {@code piece} is here. That is told at once, and after a quarter of the limit that
   * it is urgent.
   *
   * @param stillWaiting called without the lock
   * @throws IOException if the piece will not come, or not in time: a quarter of the limit if it is
   *     then still far beyond those that are here, and its reader heeds no signs
   */
  void await(int piece, Patience patience, StillWaiting stillWaiting)
      throws IOException, InterruptedException {
    if (has(piece)) {
      return;
    }
    waitListeners().forEach(listener -> listener.awaited(piece));
    long limit = patience.limit().toNanos();
    long start = clock.getAsLong();
    if (!awaitUntil(piece, start + limit / 4, stillWaiting)) {
      if (!patience.followsSigns() && isFar(piece)) {
        givenUp();
        throw new IOException("piece %d of %s will not come soon".formatted(piece, key));
      }
      waitListeners().forEach(listener -> listener.urgent(piece));
      long end = start + limit;
      while (!awaitUntil(piece, end, stillWaiting)) {
        end = longestWait(start, patience);
        if (end - clock.getAsLong() <= 0) {
          givenUp();
          throw new IOException("piece %d of %s has not come in time".formatted(piece, key));
        }
      }
    }
  }

  /** {@link System#nanoTime} when bytes have come last. */
  @VisibleForTesting
  synchronized long lastBytes() {
    return lastBytes;
  }

  private synchronized boolean isFar(int piece) {
    return piece > present.nextClearBit(0) + NEAR;
  }

  private synchronized long longestWait(long start, Patience patience) {
    long limit = patience.limit().toNanos();
    long byBytes = Math.min(start + 3 * limit, lastBytes + limit);
    return patience.followsSigns() ? Math.max(byBytes, lastSign + limit) : byBytes;
  }

  /**
   * Bytes of a piece have come that is not whole yet. Who brings a block in order says so: a reader
   * waits a limit more for the piece.
   */
  public synchronized void arriving() {
    lastBytes = clock.getAsLong();
  }

  /**
   * Whoever brings the block, and watches that what he brings gets on, says so now and then.
   * Readers wait for as long as they hear it, whichever pieces come.
   */
  public synchronized void stillComing() {
    lastSign = clock.getAsLong();
  }

  private boolean awaitUntil(int piece, long end, StillWaiting stillWaiting)
      throws IOException, InterruptedException {
    while (!awaitUntil(piece, Math.min(end, clock.getAsLong() + TELL_AFTER.toNanos()))) {
      if (end - clock.getAsLong() <= 0) {
        return false;
      }
      stillWaiting.tell();
    }
    return true;
  }

  private synchronized boolean awaitUntil(int piece, long end)
      throws IOException, InterruptedException {
    while (!present.get(piece) && end - clock.getAsLong() > 0) {
      waitUntil(end);
    }
    return present.get(piece);
  }

  /** A reader has waited in vain, and goes to HDFS. */
  private void givenUp() {
    boolean nobodyElse;
    synchronized (this) {
      nobodyElse = readers <= 1;
    }
    if (nobodyElse) {
      waitListeners().forEach(WaitListener::givenUp);
    }
  }

  private synchronized List<WaitListener> waitListeners() {
    return List.copyOf(waitListeners);
  }

  public synchronized void listenForWaits(WaitListener listener) {
    waitListeners.add(listener);
  }

  public synchronized void forgetWaits(WaitListener listener) {
    waitListeners.remove(listener);
  }

  private void waitUntil(long end) throws IOException, InterruptedException {
    checkState(Thread.holdsLock(this), "no lock");
    if (failure != null) {
      throw new IOException("%s will not be whole: %s".formatted(key, failure));
    }
    long left = Math.max(1, end - clock.getAsLong());
    wait(left / 1_000_000, (int) (left % 1_000_000));
  }

  /** Sends a piece that is here. */
  public void send(int piece, PieceSink sink) throws IOException {
    file.send(pieces.position(piece), pieces.length(piece), sink);
    readings.forEach(listener -> listener.accept(piece));
  }

  /**
   * Reads a piece again of which somebody says that it is wrong, or which could not be sent. If it
   * is wrong, or cannot be read, the block has failed and nobody gets any of it any more.
   *
   * @return false if it is wrong or cannot be read
   * @throws IOException if it is not here, or the cache has dropped the block
   */
  boolean verify(int piece) throws IOException {
    if (!has(piece)) {
      throw new IOException("piece %d of %s is not here".formatted(piece, key));
    }
    PieceSums sums = sums().orElseThrow();
    Checksum checksum = sums.kind().start();
    try {
      file.read(pieces.position(piece), pieces.length(piece), checksum::update);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      spoil("its bytes cannot be read in the cache: " + e.getMessage());
      return false;
    }
    if (sums.matches(piece, checksum)) {
      return true;
    }
    spoil("its bytes have changed in the cache");
    return false;
  }

  private synchronized void spoil(String reason) {
    spoilt = true;
    suspended = false;
    failure = reason;
    present.clear();
    notifyAll();
  }

  /** Tells {@code listener} of each piece that a reader has got, on the reader's thread. */
  public void listenForReading(IntConsumer listener) {
    readings.add(listener);
  }

  public void forgetReading(IntConsumer listener) {
    readings.remove(listener);
  }

  /** A reader has it open, until {@link #closedByReader}. */
  synchronized void openedByReader() {
    readers++;
    failIfNobodyBringsIt();
  }

  synchronized void closedByReader(long now) {
    readers--;
    lastReader = now;
  }

  /** How long no reader of this host has had it open, nanoseconds. */
  public synchronized long unread(long now) {
    return readers > 0 ? 0 : now - lastReader;
  }

  /** Keeps this block in the cache until the lease is closed. */
  synchronized Lease lease() {
    leases++;
    return new Lease(this);
  }

  synchronized void release(long now) {
    leases--;
    lastUse = now;
    failIfNobodyBringsIt();
  }

  /** Each reader has a lease, too: without others nobody is left who could bring it. */
  private void failIfNobodyBringsIt() {
    if (leases <= readers) {
      fail("nobody brings it any more");
    }
  }

  /** When the last lease ended, or the block came into the cache; {@link System#nanoTime}. */
  synchronized long lastUse() {
    return lastUse;
  }

  synchronized boolean leased() {
    return leases > 0;
  }

  /** Frees the file. Whoever still reads fails, and goes to HDFS. */
  void close() throws IOException {
    fail("the cache has dropped it");
    file.close();
  }
}
