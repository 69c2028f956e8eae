package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.Maps;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.algorithm.PieceScheduler;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.core.blockcache.CachedBlock;
import io.orchestra.hadoop.core.blockcache.Lease;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the blocks of one file into the cache of this host, from many neighbours at once. Ends
 * whole or failed; then all leases are given back and all neighbours left.
 *
 * <p>Safe for concurrent use. Neither the network nor the disk is waited for under the lock.
 */
final class Download implements NeighbourConnection.Listener, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Download.class);
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(20);

  /** Who began it. */
  interface Owner {
    /**
     * Opens a connection on a thread of its own; makes {@code download} call {@link #connected} and
     * {@link #left}, if it succeeds.
     */
    void connect(Download download, Introduction to);

    /** A piece of the file came. */
    void fruitful();

    /**
     * Some of the file will not come.
     *
     * @param fruitless whether nothing came, though nobody said that he has nothing
     */
    void givenUp(Download download, boolean fruitless);
  }

  private final FileLayout layout;
  private final PieceBuffers buffers;
  private final String path;
  private final String user;
  private final Map<Integer, Lease> leases;
  private final Map<Integer, IntConsumer> urgencies;
  private final boolean mutual;
  private final BroadcastConfig config;
  private final Owner owner;
  private final BroadcastMetrics metrics;

  // Guarded by this.
  private final PieceScheduler<NeighbourConnection> scheduler;
  private final NeighbourPieces pieces;
  private final Acquaintances acquaintances;
  private final DownloadProgress progress;
  private long lastLook;
  private boolean tracked = true;
  private boolean refused;
  private boolean ended;

  /**
   * @param user whose reading began it
   * @param leases by number of the block; blocks without one are here as replicas
   * @param joined the tracker's answer
   */
  Download(
      FileLayout layout,
      String user,
      Map<Integer, Lease> leases,
      JoinResponseProto joined,
      BroadcastConfig config,
      Owner owner,
      BroadcastMetrics metrics,
      Random random) {
    this.layout = layout;
    buffers = new PieceBuffers(layout.pieceLength());
    path = joined.getPath();
    this.user = user;
    this.leases = leases;
    urgencies =
        ImmutableMap.copyOf(
            Maps.transformEntries(
                leases, (block, lease) -> piece -> hasten(layout.firstPiece(block) + piece)));
    this.config = config;
    this.owner = owner;
    this.metrics = metrics;
    scheduler = new PieceScheduler<>(layout.pieces(), joined.getStart(), config.requests(), random);
    mutual = joined.getMutual();
    BitSet here = here();
    scheduler.alreadyHave(here);
    progress = new DownloadProgress(layout.pieces(), here.cardinality(), System.nanoTime());
    lastLook = System.nanoTime();
    pieces = new NeighbourPieces(layout, leases, scheduler);
    acquaintances = new Acquaintances(2 * config.neighbours());
  }

  /** From now on pieces that readers wait for come first. */
  void heedReaders() {
    urgencies.forEach((block, listener) -> leases.get(block).block().listenForUrgency(listener));
  }

  private void hasten(int piece) {
    synchronized (this) {
      scheduler.hasten(piece);
    }
    askForMore();
  }

  private BitSet here() {
    BitSet here = new BitSet();
    for (int block = 0; block < layout.blocks(); block++) {
      int first = layout.firstPiece(block);
      Lease lease = leases.get(block);
      if (lease == null) {
        here.set(first, first + layout.cut(block).count());
      } else {
        lease.block().present().stream().forEach(piece -> here.set(first + piece));
      }
    }
    return here;
  }

  FileLayout layout() {
    return layout;
  }

  PieceBuffers buffers() {
    return buffers;
  }

  String path() {
    return path;
  }

  /** Whose reading began it. */
  String user() {
    return user;
  }

  /** Whether those whom this host asks may ask it in turn. */
  boolean mutual() {
    return mutual;
  }

  DownloadProgress progress() {
    return progress;
  }

  /** Connects to a peer, unless there are enough of them or it has sent what was wrong. */
  void introduce(Introduction to) {
    synchronized (this) {
      if (ended || !acquaintances.begin(to.address().datanode(), to.role())) {
        return;
      }
    }
    owner.connect(this, to);
  }

  /**
   * Somebody has come and said that it is in the swarm, which the tracker knows better.
   *
   * @param datanode UUID
   */
  synchronized void claimed(String datanode) {
    if (!ended) {
      acquaintances.claimed(datanode);
    }
  }

  /** What was claimed since the last call. */
  synchronized List<String> takeClaims() {
    return acquaintances.takeClaims();
  }

  /** The tracker knows this file, or does not know it any more. */
  synchronized void tracked(boolean known) {
    tracked = known;
  }

  /** Whether the tracker is to be told of it. */
  synchronized boolean isTracked() {
    return tracked;
  }

  /**
   * @return false if it is not needed any more
   */
  synchronized boolean connected(NeighbourConnection neighbour) {
    if (ended) {
      acquaintances.notConnected(neighbour.address().datanode());
      return false;
    }
    return acquaintances.connected(neighbour);
  }

  synchronized void notConnected(PeerAddress address) {
    acquaintances.notConnected(address.datanode());
  }

  /** The connection has ended. */
  void left(NeighbourConnection neighbour) {
    synchronized (this) {
      refused |= neighbour.hasRefused();
      acquaintances.left(neighbour);
      pieces.left(neighbour);
    }
    askForMore();
  }

  @Override
  public void welcomed(NeighbourConnection from, HelloResponseProto welcome) throws IOException {
    try {
      synchronized (this) {
        pieces.welcomed(from, welcome);
      }
    } catch (NeighbourPieces.ReplicasDisagree e) {
      fail(e.getMessage());
      throw e;
    }
    askForMore();
  }

  @Override
  public void gained(NeighbourConnection from, List<Integer> gained) {
    synchronized (this) {
      pieces.gained(from, gained);
    }
    askForMore();
  }

  @Override
  public void refused(NeighbourConnection from, int piece) {
    synchronized (this) {
      pieces.refused(from, piece);
    }
    askForMore();
  }

  @Override
  public boolean received(NeighbourConnection from, int piece, ByteBuffer bytes, long nanos)
      throws IOException {
    if (!isAsked(from, piece)) {
      return false;
    }
    FileLayout.Place place = layout.place(piece);
    CachedBlock block = leases.get(place.block()).block();
    int length = bytes.remaining();
    if (!keep(block, place.piece(), bytes)) {
      ban(from);
      throw new IOException(
          "%s sent a piece %d of %s with a wrong checksum"
              .formatted(from.address(), piece, layout));
    }
    List<NeighbourConnection> needless;
    synchronized (this) {
      boolean isNew = !scheduler.has(piece);
      needless = scheduler.arrived(from, piece, System.nanoTime());
      if (!isNew) {
        return true;
      }
      progress.received(
          from.address().datanode(),
          pieces.hasReplica(from, place.block()),
          new DownloadProgress.Transfer(length, nanos),
          scheduler.have(),
          System.nanoTime());
    }
    metrics.received(length);
    owner.fruitful();
    needless.forEach(other -> other.wish(List.of(), List.of(piece)));
    askForMore();
    endIfWhole();
    return true;
  }

  private synchronized boolean isAsked(NeighbourConnection from, int piece) {
    return scheduler.asked(from).contains(piece);
  }

  /**
   * @return false if the piece is wrong
   */
  private boolean keep(CachedBlock block, int piece, ByteBuffer bytes) throws IOException {
    try {
      return block.put(piece, bytes);
    } catch (IOException e) {
      fail("the disk of the cache refuses: " + e);
      throw e;
    }
  }

  private void ban(NeighbourConnection from) {
    synchronized (this) {
      acquaintances.ban(from.address().datanode());
      progress.corrupt();
    }
    metrics.corrupt();
    LOG.warn(
        "{} sent a piece of {} ({}) with a wrong checksum; it is asked no more, and the piece is"
            + " fetched from others",
        from.address(),
        path,
        layout);
  }

  private void askForMore() {
    ListMultimap<NeighbourConnection, Integer> wishes = ArrayListMultimap.create();
    synchronized (this) {
      if (ended) {
        return;
      }
      long now = System.nanoTime();
      scheduler.next(now).forEach(request -> wishes.put(request.neighbour(), request.piece()));
    }
    wishes.asMap().forEach((neighbour, pieces) -> neighbour.wish(List.copyOf(pieces), List.of()));
  }

  /**
   * Looks after what only time tells; called a few times a second.
   *
   * @return whether other neighbours are needed
   */
  boolean tick(long now) {
    askForMore();
    long limit = config.stallTimeout().toNanos();
    long longest = config.longestPiece(layout.pieceLength()).toNanos();
    List<NeighbourConnection> slow;
    synchronized (this) {
      if (ended) {
        return false;
      }
      slow = new ArrayList<>(scheduler.waitingSince(now - limit));
      // A piece takes long where links are slow, but not for ever.
      Set<NeighbourConnection> tooSlow = Set.copyOf(scheduler.waitingSince(now - longest));
      slow.removeIf(
          neighbour -> now - neighbour.lastByte() <= limit && !tooSlow.contains(neighbour));
    }
    for (NeighbourConnection neighbour : slow) {
      LOG.info("{} has sent no piece of {} for too long and is left", neighbour.address(), layout);
      neighbour.leave();
    }
    for (NeighbourConnection neighbour : connections()) {
      if (now - neighbour.lastSaid() > KEEP_ALIVE.toNanos()) {
        neighbour.wish(List.of(), List.of());
      }
    }
    long idle = idle(now);
    if (idle > limit + limit / 2 || now - progress.last() > longest + limit / 2) {
      // Longer than one neighbour has: when the last one is left, others are asked first.
      fail("nothing has come for %d ms".formatted(idle / 1_000_000));
      return false;
    }
    return needsMore(now, idle, limit / 4);
  }

  /** How long no byte of a piece has come. */
  private long idle(long now) {
    long idle = now - progress.last();
    for (NeighbourConnection neighbour : connections()) {
      if (neighbour.hasSentBytes()) {
        idle = Math.min(idle, now - neighbour.lastByte());
      }
    }
    return idle;
  }

  private synchronized boolean needsMore(long now, long idle, long patience) {
    boolean needed = idle > patience && now - lastLook > patience;
    lastLook = needed ? now : lastLook;
    return needed;
  }

  private synchronized List<NeighbourConnection> connections() {
    return acquaintances.connections();
  }

  private void endIfWhole() {
    synchronized (this) {
      if (ended || !scheduler.complete()) {
        return;
      }
      ended = true;
      progress.whole();
    }
    metrics.completed();
    LOG.info("{} is here as a swarm: {}", path, progress);
    close();
  }

  /** Gives up what is missing: readers go to HDFS. */
  void fail(String reason) {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      progress.failed(reason);
    }
    metrics.failed();
    LOG.warn("{} is read from HDFS: {}. {}", path, reason, progress);
    owner.givenUp(this, progress.fromSeeds() + progress.fromPeers() == 0 && !hasAnyoneRefused());
    leases.values().forEach(lease -> lease.block().fail(reason));
    close();
  }

  private synchronized boolean hasAnyoneRefused() {
    return refused
        || acquaintances.connections().stream().anyMatch(NeighbourConnection::hasRefused);
  }

  @Override
  public void close() {
    synchronized (this) {
      ended = true;
    }
    buffers.close();
    urgencies.forEach((block, listener) -> leases.get(block).block().forgetUrgency(listener));
    connections().forEach(NeighbourConnection::leave);
    leases.values().forEach(Lease::close);
  }

  synchronized boolean ended() {
    return ended;
  }

  /** The blocks that were to come, whether they came or not. */
  List<CachedBlock> blocks() {
    List<CachedBlock> blocks = new ArrayList<>();
    leases.values().forEach(lease -> blocks.add(lease.block()));
    return blocks;
  }
}
