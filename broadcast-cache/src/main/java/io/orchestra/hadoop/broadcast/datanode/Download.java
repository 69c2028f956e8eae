package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.Multiset;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.algorithm.PieceScheduler;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto.Role;
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
    void connect(Download download, PeerAddress address, boolean near, Role role);

    /** A piece of the file came. */
    void fruitful();

    /**
     * Some of the file will not come.
     *
     * @param fruitless whether nothing came
     */
    void givenUp(Download download, boolean fruitless);
  }

  /**
   * Of one connection, beyond the pieces that were asked for: word that one is needless may come
   * too late.
   */
  private static final int MOST_UNASKED = 32;

  private final FileLayout layout;
  private final PieceBuffers buffers;
  private final String path;
  private final String user;
  private final Map<Integer, Lease> leases;
  private final boolean mutual;
  private final BroadcastConfig config;
  private final Owner owner;
  private final BroadcastMetrics metrics;

  // Guarded by this.
  private final PieceScheduler<NeighbourConnection> scheduler;
  private final NeighbourPieces pieces;
  private final Acquaintances acquaintances;
  private final Multiset<NeighbourConnection> unasked = HashMultiset.create();
  private final DownloadProgress progress;
  private long lastLook;
  private boolean untracked;
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
    leases.forEach(
        (block, lease) ->
            lease.block().listenForUrgency(piece -> hasten(layout.firstPiece(block) + piece)));
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

  /**
   * Connects to a peer, unless there are enough of them or it has sent what was wrong.
   *
   * @param role as the tracker says
   */
  void introduce(PeerAddress address, boolean near, Role role) {
    synchronized (this) {
      if (ended || !acquaintances.begin(address.datanode(), role)) {
        return;
      }
    }
    owner.connect(this, address, near, role);
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

  /** The tracker does not know this file any more. */
  synchronized void untracked() {
    untracked = true;
  }

  /** Whether the tracker is to be told of it. */
  synchronized boolean isTracked() {
    return !untracked;
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
      acquaintances.left(neighbour);
      unasked.setCount(neighbour, 0);
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
  public void received(NeighbourConnection from, int piece, ByteBuffer bytes, long nanos)
      throws IOException {
    if (!isAsked(from, piece)) {
      return;
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
        return;
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
    needless.forEach(other -> send(other, List.of(), List.of(piece)));
    askForMore();
    endIfWhole();
  }

  /** Pieces that are needless by now may still come, but not for ever. */
  private synchronized boolean isAsked(NeighbourConnection from, int piece) throws IOException {
    if (scheduler.asked(from).contains(piece)) {
      unasked.remove(from);
      return true;
    }
    unasked.add(from);
    if (unasked.count(from) > MOST_UNASKED) {
      throw new IOException("%s sends pieces unasked".formatted(from.address()));
    }
    return false;
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
    wishes.asMap().forEach((neighbour, pieces) -> send(neighbour, List.copyOf(pieces), List.of()));
  }

  private static void send(
      NeighbourConnection neighbour, List<Integer> wanted, List<Integer> needless) {
    try {
      neighbour.wish(wanted, needless);
    } catch (IOException e) {
      LOG.debug("{} takes no wishes", neighbour.address(), e);
      close(neighbour);
    }
  }

  private static void close(NeighbourConnection neighbour) {
    try {
      neighbour.close();
    } catch (IOException e) {
      LOG.debug("The connection to {} did not close", neighbour.address(), e);
    }
  }

  /**
   * Looks after what only time tells; called a few times a second.
   *
   * @return whether other neighbours are needed
   */
  boolean tick(long now) {
    askForMore();
    List<NeighbourConnection> silent;
    synchronized (this) {
      if (ended) {
        return false;
      }
      silent = scheduler.waitingSince(now - config.stallTimeout().toNanos());
    }
    for (NeighbourConnection neighbour : silent) {
      LOG.info("{} has sent no piece of {} for too long and is left", neighbour.address(), layout);
      close(neighbour);
    }
    for (NeighbourConnection neighbour : connections()) {
      if (now - neighbour.lastSaid() > KEEP_ALIVE.toNanos()) {
        send(neighbour, List.of(), List.of());
      }
    }
    long idle = now - progress.last();
    if (idle > config.stallTimeout().toNanos()) {
      fail("no piece has come for %d ms".formatted(idle / 1_000_000));
      return false;
    }
    return needsMore(now, idle);
  }

  private synchronized boolean needsMore(long now, long idle) {
    boolean needed =
        idle > config.stallTimeout().toNanos() / 4
            && now - lastLook > config.stallTimeout().toNanos() / 4;
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
    owner.givenUp(this, progress.fromSeeds() + progress.fromPeers() == 0);
    leases.values().forEach(lease -> lease.block().fail(reason));
    close();
  }

  @Override
  public void close() {
    synchronized (this) {
      ended = true;
    }
    connections().forEach(Download::close);
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
