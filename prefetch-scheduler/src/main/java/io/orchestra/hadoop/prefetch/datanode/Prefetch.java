package io.orchestra.hadoop.prefetch.datanode;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.util.concurrent.RateLimiter;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.BlockTokens;
import io.orchestra.hadoop.core.blockcache.CachedBlock;
import io.orchestra.hadoop.core.blockcache.Lease;
import io.orchestra.hadoop.core.blockcache.Replica;
import io.orchestra.hadoop.core.blockcache.WaitListener;
import io.orchestra.hadoop.core.daemon.UserBudget;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchFlow;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.BlockProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto.State;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.SourceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.StartProto;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.function.IntConsumer;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings one block into the cache, from the first of its sources that gives it, at its rate, and
 * keeps it there until it has been read or its time is over. Whoever asked for it must be allowed
 * to read it. Runs once; the rest is safe for concurrent use.
 */
final class Prefetch implements Runnable, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Prefetch.class);

  /** As DataNodes send it. */
  private static final int PART_LENGTH = 64 << 10;

  private static final RateLimiter WARNINGS = RateLimiter.create(1.0 / 60);

  /** What a prefetch needs of its DataNode. */
  interface Host {
    /**
     * @throws IOException if the token does not allow to read the block
     */
    void verify(BlockKey block, Token<BlockTokenIdentifier> token) throws IOException;

    Replicas replicas();

    /** See {@code BlockCache.begin}. */
    Optional<Lease> begin(BlockKey block, BlockPieces pieces) throws IOException;

    UserBudget room();

    /** So many bytes have come. */
    void copied(long bytes);
  }

  private final StartProto order;
  private final BlockKey block;
  private final long length;
  private final Host host;
  private final Pacer pacer;
  private final IntConsumer reading = this::read;
  private final WaitListener urgency;

  /** Held while a piece is written. */
  private final Object writing = new Object();

  /** Whose sources are tried; null when none is tried any more. Changed while writing is held. */
  private volatile StartProto route;

  /** Whether all maps that it is for have their containers. */
  private volatile boolean launched;

  /** Guarded by {@link #writing}; null before and after the copy. */
  private Thread runner;

  /** Which source has given a piece last. Guarded by {@link #writing}; null if none has. */
  private SourceProto giver;

  /** Why it is to end; null while it is not. */
  private volatile String cancelled;

  /** Null before it is begun. */
  private volatile CachedBlock begun;

  private volatile State state = State.COPYING;
  private volatile String reason = "";
  private volatile long bytes;
  private volatile PieceUse use;

  // Guarded by this.
  private Lease lease;
  private boolean roomTaken;
  private boolean closed;

  Prefetch(StartProto order, Host host) {
    this.order = order;
    route = order;
    launched = order.getLaunched();
    this.host = host;
    block = key(order.getBlock());
    length = order.getBlock().getLength();
    pacer = new Pacer(order.getRate());
    urgency =
        new WaitListener() {
          @Override
          public void awaited(int piece) {
            // A reader in order is as fast as the copy can be; one that only looks costs a piece.
            pacer.goOn();
          }

          @Override
          public void urgent(int piece) {
            pacer.hurry();
          }

          @Override
          public void givenUp() {
            if (launched) {
              // Until then it was another who looked into the block, and has no say.
              abandon("its reader has gone to HDFS");
            }
          }
        };
  }

  /** Ends before the next piece, without anybody waiting for that. */
  private void abandon(String why) {
    cancelled = why;
    pacer.hurry();
  }

  /**
   * Ends a copy that is on its way. Its thread is not interrupted while it writes a piece: that
   * would close the file of a block that others fill or read.
   */
  void cancel(String why) {
    synchronized (writing) {
      cancelled = why;
      if (runner != null) {
        runner.interrupt();
      }
    }
  }

  /**
   * What is missing is fetched from the sources of another order for the same block, and in the end
   * from the one that has given some of it last.
   *
   * @return false if it has failed already
   */
  boolean reroute(StartProto other) {
    synchronized (writing) {
      if (route == null) {
        return false;
      }
      boolean isComplete = giver == null || other.getSourcesList().contains(giver);
      route = isComplete ? other : other.toBuilder().addSources(giver).build();
      if (runner != null) {
        runner.interrupt();
      }
      return true;
    }
  }

  /** Whether nothing else is to be tried than this, which has failed. */
  private boolean isLast(StartProto tried) {
    synchronized (writing) {
      if (route == tried) {
        route = null;
      }
      return route == null;
    }
  }

  /** An interrupt before this was meant for another route. */
  private StartProto takeRoute() {
    synchronized (writing) {
      requireWanted();
      boolean unused = Thread.interrupted();
      return route;
    }
  }

  private void requireWanted() {
    if (cancelled != null) {
      throw new CancellationException(cancelled);
    }
  }

  static BlockKey key(BlockProto block) {
    return new BlockKey(block.getPool(), block.getId(), block.getGenerationStamp());
  }

  /** Whether an order's token allows its user to read the block. */
  static boolean isAllowed(StartProto order, Host host) {
    try {
      host.verify(key(order.getBlock()), BlockTokens.read(order.getToken()));
      return true;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // Hadoop makes room for as much as a token says that follows.
      if (WARNINGS.tryAcquire()) {
        LOG.warn(
            "{} may not read {}: it is not brought here (told at most once a minute)",
            order.getUser(),
            key(order.getBlock()));
      }
      LOG.debug("A block token is not valid", e);
      return false;
    }
  }

  @Override
  public void run() {
    synchronized (writing) {
      runner = Thread.currentThread();
    }
    try {
      state = bring();
    } catch (IOException | RuntimeException | Error e) {
      // After an Error, too, nobody else would say that it has ended.
      LOG.debug("{} cannot be brought here", block, e);
      end(State.DECLINED, String.valueOf(cancelled == null ? e.getMessage() : cancelled));
    } finally {
      leave();
    }
    if (state != State.ARRIVED) {
      close();
    }
  }

  /** The thread has other work to do: an interrupt was meant for this copy. */
  private void leave() {
    synchronized (writing) {
      runner = null;
      boolean unused = Thread.interrupted();
    }
  }

  private void end(State how, String why) {
    reason = why;
    state = how;
  }

  private State bring() throws IOException {
    requireWanted();
    if (!isAllowed(order, host)) {
      return State.FORBIDDEN;
    }
    if (host.replicas().isHere(block)) {
      return State.HERE;
    }
    if (length <= 0 || !begin()) {
      return State.NO_ROOM;
    }
    CachedBlock cached = lease().block();
    StartProto tried;
    do {
      tried = takeRoute();
      if (copy(tried, cached)) {
        reason = "";
        return State.ARRIVED;
      }
    } while (!isLast(tried));
    return State.FAILED;
  }

  /**
   * @return false if none of these sources gives it, or it is to come from others
   */
  private boolean copy(StartProto from, CachedBlock cached) {
    OptionalInt localPort =
        from.hasLocalPort() ? OptionalInt.of(from.getLocalPort()) : OptionalInt.empty();
    for (SourceProto source : from.getSourcesList()) {
      try {
        copy(source, host.replicas().at(source, block, length, localPort), cached);
        return true;
      } catch (IOException e) {
        requireWanted();
        LOG.debug("{} does not give {}", source.getHost(), block, e);
        reason = String.valueOf(e.getMessage());
      } catch (InterruptedException e) {
        requireWanted();
        LOG.debug("{} comes from elsewhere than {}", block, source.getHost());
      }
      if (from != route) {
        return false;
      }
    }
    return false;
  }

  private synchronized boolean begin() throws IOException {
    if (closed || !host.room().take(order.getUser(), length)) {
      return false;
    }
    roomTaken = true;
    lease = host.begin(block, new BlockPieces(length, PrefetchFlow.PIECE_LENGTH)).orElse(null);
    if (lease == null) {
      return false;
    }
    if (lease.block().pieces().blockLength() != length) {
      // In use: nobody here knows which of the two lengths is true.
      return false;
    }
    begun = lease.block();
    use = new PieceUse(lease.block().pieces());
    lease.block().listenForWaits(urgency);
    lease.block().listenForReading(reading);
    return true;
  }

  private synchronized Lease lease() throws IOException {
    if (closed) {
      throw new IOException("cancelled");
    }
    return lease;
  }

  /** Somebody else may bring the same block, or have done so: what is here is not fetched again. */
  private void copy(SourceProto from, Replica replica, CachedBlock cached)
      throws IOException, InterruptedException {
    BlockPieces pieces = cached.pieces();
    if (cached.sums().isEmpty()) {
      cached.expect(replica.sums(pieces));
    }
    int first = cached.present().nextClearBit(0);
    if (first < pieces.count()) {
      long position = pieces.position(first);
      try (Replica.Bytes source = replica.open(position, length - position)) {
        copy(from, replica, source, cached, first);
      }
    }
    bytes = length;
  }

  private void copy(
      SourceProto from, Replica replica, Replica.Bytes source, CachedBlock cached, int first)
      throws IOException, InterruptedException {
    BlockPieces pieces = cached.pieces();
    ByteBuffer piece = ByteBuffer.allocate(pieces.length(0));
    for (int number = first; number < pieces.count(); number++) {
      pacer.take(pieces.length(number));
      fetch(source, piece.clear().limit(pieces.length(number)), cached);
      if (!put(from, cached, number, piece.flip())) {
        replica.doubt(pieces.position(number), pieces.length(number));
        throw new IOException("piece %d has a wrong checksum".formatted(number));
      }
      use.brought(number);
      host.copied(pieces.length(number));
      bytes = pieces.position(number) + pieces.length(number);
    }
  }

  /** On a slow link a piece takes longer than a reader waits for a source that is gone. */
  private static void fetch(Replica.Bytes source, ByteBuffer piece, CachedBlock cached)
      throws IOException {
    int length = piece.limit();
    while (piece.position() < length) {
      source.readFully(piece.limit(Math.min(length, piece.position() + PART_LENGTH)));
      cached.arriving();
    }
  }

  /** No other source helps where the cache's disk refuses. */
  private boolean put(SourceProto from, CachedBlock cached, int number, ByteBuffer piece)
      throws InterruptedException {
    synchronized (writing) {
      requireWanted();
      if (Thread.interrupted()) {
        // Another route; a write would close the file of the block.
        throw new InterruptedException();
      }
      try {
        boolean isRight = cached.put(number, piece);
        giver = isRight ? from : giver;
        return isRight;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  BlockKey block() {
    return block;
  }

  /** Bytes of the block, as the order says. */
  long length() {
    return length;
  }

  StartProto order() {
    return order;
  }

  State state() {
    return state;
  }

  /** Why it has failed; empty if it has not. */
  String reason() {
    return reason;
  }

  /** Bytes that have come, from the beginning. */
  long bytes() {
    return bytes;
  }

  void pace(long rate) {
    pacer.rate(rate);
  }

  /** Whether all maps that it is for have their containers by now. */
  void launched(boolean all) {
    launched = all;
  }

  @VisibleForTesting
  boolean isLaunched() {
    return launched;
  }

  @VisibleForTesting
  long rate() {
    return pacer.rate();
  }

  @VisibleForTesting
  boolean isHurried() {
    return pacer.isHurried();
  }

  private void read(int piece) {
    use.read(piece);
  }

  /** Whether a reader has the block open. */
  boolean isBeingRead() {
    CachedBlock known = begun;
    return known != null && known.unread(System.nanoTime()) == 0;
  }

  /** Whether readers have got all of it since it was wanted. */
  boolean isRead() {
    PieceUse known = use;
    return known != null && known.isRead();
  }

  /** Bytes that this prefetch has brought. */
  long brought() {
    PieceUse known = use;
    return known == null ? 0 : known.bytesBrought();
  }

  /** Bytes of these that readers have got, each of them counted once. */
  long used() {
    PieceUse known = use;
    return known == null ? 0 : known.bytesUsed();
  }

  /** What has come stays in the cache if it is whole, but may make room for other blocks. */
  @Override
  public synchronized void close() {
    closed = true;
    if (lease != null) {
      lease.block().forgetReading(reading);
      lease.block().forgetWaits(urgency);
      lease.close();
    }
    if (roomTaken) {
      roomTaken = false;
      host.room().giveBack(order.getUser(), length);
    }
  }
}
