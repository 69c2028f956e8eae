package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.annotations.VisibleForTesting;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.algorithm.RequestLimits;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.core.blockcache.CachedBlock;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import io.orchestra.hadoop.core.blockcache.Replica;
import io.orchestra.hadoop.core.daemon.LogText;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.IntPredicate;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the blocks of one file into the cache of this host, from many neighbours at once. Ends
 * whole, failed, or because nobody reads it any more; then all leases are given back and all
 * neighbours left.
 *
 * <p>Safe for concurrent use. Neither the network nor the disk is waited for under the lock.
 */
final class Download implements NeighbourConnection.Listener, PlainReads.Target, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Download.class);
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(20);

  /** That each step may take when a replica that is doubted is read again. */
  private static final Duration DOUBTING = Duration.ofSeconds(5);

  /**
   * Between two blocks a reader has none open, also while it reads one that has a replica here or
   * that it was sent to HDFS for.
   */
  private static final Duration LONGEST_UNREAD = Duration.ofSeconds(30);

  /** Others do not give way to a file of which nothing comes, or is read, for so long. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final FileLayout layout;
  private final PieceBuffers buffers;
  private final String path;
  private final String user;
  private final IncomingBlocks incoming;
  private final boolean mutual;
  private final boolean takesTurns;
  private final DownloadOwner owner;
  private final BroadcastMetrics metrics;
  private final Acquaintances acquaintances;
  private final PieceTraffic traffic;
  private final DownloadProgress progress;
  private final PlainReads plainReads;
  private final StallWatch watch;
  private final long begun = System.nanoTime();

  // Guarded by this.
  private boolean tracked = true;
  private boolean givesWay;
  private boolean ended;

  /**
   * @param user whose reading began it
   * @param joined the tracker's answer
   */
  Download(
      IncomingBlocks incoming,
      String user,
      JoinResponseProto joined,
      BroadcastConfig config,
      DownloadOwner owner,
      BroadcastMetrics metrics,
      Random random) {
    this.incoming = incoming;
    layout = incoming.layout();
    buffers = new PieceBuffers(layout.pieceLength());
    path = LogText.of(joined.getPath());
    this.user = user;
    this.owner = owner;
    this.metrics = metrics;
    mutual = joined.getMutual();
    takesTurns = joined.getTakesTurns();
    // In a chain or tree there is no neighbour but one.
    RequestLimits limits = mutual ? config.requests() : config.requests().ofOne();
    traffic = new PieceTraffic(incoming, joined.getStart(), limits, random, begun);
    progress = traffic.progress();
    plainReads =
        new PlainReads(
            this, (int) (joined.getStart() * layout.pieces()), config.stallTimeout(), begun);
    watch = new StallWatch(config, progress, layout.pieceLength(), begun);
    acquaintances = new Acquaintances(2 * config.neighbours(), owner::isBanned);
  }

  /** From now on pieces that readers wait for come first. If all is here already it ends. */
  void begin() {
    incoming.listenForWaits(traffic);
    endIfWhole();
  }

  @Override
  public FileLayout layout() {
    return layout;
  }

  PieceBuffers buffers() {
    return buffers;
  }

  @Override
  public String path() {
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

  /** Whether it gives way to others of this host, and they to it. */
  boolean takesTurns() {
    return takesTurns;
  }

  DownloadProgress progress() {
    return progress;
  }

  /** Whom it is connected to. */
  Acquaintances acquaintances() {
    return acquaintances;
  }

  PlainReads plainReads() {
    return plainReads;
  }

  /** Connects to a peer, unless there are enough of them or it has sent what was wrong. */
  void introduce(Introduction to) {
    if (acquaintances.begin(to.address().datanode(), to.role())) {
      try {
        owner.connect(this, to);
      } catch (RuntimeException | Error e) {
        // Such as for want of threads: it may be tried again.
        acquaintances.notConnected(to.address().datanode());
        throw e;
      }
    }
  }

  /** The tracker knows this file, or does not know it any more. */
  synchronized void tracked(boolean known) {
    tracked = known;
  }

  /** Whether the tracker is to be told of it. */
  synchronized boolean isTracked() {
    return tracked;
  }

  long missingBytes() {
    return traffic.missingBytes();
  }

  /** Whether any of it has come of late, for somebody who reads it. */
  boolean isComing(long now) {
    return watch.idle(acquaintances.connections(), now) < LONGEST_PAUSE.toNanos()
        && unread(now) < LONGEST_PAUSE.toNanos();
  }

  /** Not while it is behind HDFS, nor beyond its time for that. */
  boolean mayGiveWay(long now) {
    return plainReads.mayGiveWay(now);
  }

  /** Whether another file of this host goes first from now on. */
  void giveWay(boolean yes, long now) {
    synchronized (this) {
      if (givesWay == yes || ended) {
        return;
      }
      givesWay = yes;
    }
    traffic.giveWay(yes);
    plainReads.giveWay(yes, now);
  }

  @VisibleForTesting
  synchronized boolean givesWay() {
    return givesWay;
  }

  /** The connection has ended. */
  void left(NeighbourConnection neighbour) {
    traffic.left(neighbour);
    acquaintances.left(neighbour);
  }

  @Override
  public void welcomed(NeighbourConnection from, HelloResponseProto welcome) throws IOException {
    try {
      traffic.welcomed(from, welcome);
    } catch (NeighbourPieces.ReplicasDisagree e) {
      fail(e.getMessage());
      throw e;
    }
  }

  @Override
  public void gained(NeighbourConnection from, List<Integer> gained) {
    traffic.gained(from, gained);
  }

  @Override
  public void refused(NeighbourConnection from, int piece) {
    traffic.refused(from, piece);
  }

  @Override
  public void arriving(int bytes) {
    owner.arriving(bytes);
  }

  @Override
  public boolean received(NeighbourConnection from, int piece, ByteBuffer bytes, long nanos)
      throws IOException {
    if (!traffic.isAsked(from, piece)) {
      return false;
    }
    int length = bytes.remaining();
    if (!keep(piece, bytes)) {
      ban(from, piece);
      throw new IOException(
          "%s sent a piece %d of %s with a wrong checksum"
              .formatted(from.address(), piece, layout));
    }
    if (traffic.received(from, piece, new DownloadProgress.Transfer(length, nanos))) {
      metrics.received(length);
      owner.fruitful();
      isHere(piece);
    }
    return true;
  }

  private void isHere(int piece) {
    acquaintances.convicted(piece).forEach(owner::ban);
    endIfWhole();
  }

  @Override
  public OptionalInt missing(int from, IntPredicate blocks) {
    return ended() ? OptionalInt.empty() : traffic.missing(from, blocks);
  }

  @Override
  public OptionalInt unasked(int from, IntPredicate blocks) {
    return ended() ? OptionalInt.empty() : traffic.unasked(from, blocks);
  }

  @Override
  public boolean has(int piece) {
    return traffic.has(piece);
  }

  @Override
  public int readers() {
    return 1 + traffic.readers();
  }

  @Override
  public Replica replica(DatanodeID holder, int block, Duration patience) {
    return owner.replica(holder, layout.extended(block), patience);
  }

  @Override
  public boolean lacksSums(int block) {
    return incoming.sums(block).isEmpty();
  }

  @Override
  public void expect(int block, PieceSums sums) throws IOException {
    try {
      traffic.expect(block, sums);
    } catch (NeighbourPieces.ReplicasDisagree e) {
      fail(e.getMessage());
      throw e;
    }
  }

  @Override
  public boolean read(int piece, ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    if (!keep(piece, bytes)) {
      progress.corrupt();
      metrics.corrupt();
      return false;
    }
    if (traffic.read(piece, length)) {
      metrics.readFromHdfs(length);
      isHere(piece);
    }
    return true;
  }

  /** Such as of a file that was written without checksums. */
  @Override
  public void unreadable(int block) {
    if (isUnverifiable()) {
      fail("nobody can tell its checksums");
    }
  }

  /** What neighbours might send could not be kept: nobody who has a replica tells its checksums. */
  private boolean isUnverifiable() {
    return incoming.lackAllSums() && acquaintances.haveAllSeedsRefused();
  }

  /**
   * @return false if the piece is wrong
   */
  private boolean keep(int piece, ByteBuffer bytes) throws IOException {
    try {
      return incoming.keep(piece, bytes);
    } catch (IOException e) {
      fail("the disk of the cache refuses: " + e);
      throw e;
    }
  }

  private void ban(NeighbourConnection from, int piece) {
    acquaintances.ban(from.address().datanode(), piece);
    progress.corrupt();
    metrics.corrupt();
    LOG.warn(
        "{} sent a piece of {} ({}) with a wrong checksum; it is asked no more, and the piece is"
            + " fetched from others",
        from.address(),
        path,
        layout);
    if (has(piece)) {
      // It has come right while this one was looked at.
      owner.ban(from.address().datanode());
    }
    doubt(from.address().datanode(), piece);
  }

  /** If the sender has a replica, that may be wrong. */
  private void doubt(String datanode, int piece) {
    FileLayout.Place place = layout.place(piece);
    plainReads
        .holder(place.block(), datanode)
        .map(holder -> replica(holder, place.block(), DOUBTING))
        .ifPresent(
            replica ->
                replica.doubt(
                    layout.cut(place.block()).position(place.piece()), layout.length(piece)));
  }

  /**
   * Looks after what only time tells; called a few times a second by one thread.
   *
   * @return whether other neighbours are needed
   */
  boolean tick(long now) {
    if (unread(now) > LONGEST_UNREAD.toNanos()) {
      abandon();
    }
    traffic.askForMore();
    if (ended()) {
      return false;
    }
    watch.tick(now);
    for (NeighbourConnection neighbour : traffic.tooSlow(watch, now)) {
      LOG.info("{} has sent no piece of {} for too long and is left", neighbour.address(), layout);
      neighbour.leave();
    }
    List<NeighbourConnection> neighbours = acquaintances.connections();
    for (NeighbourConnection neighbour : neighbours) {
      if (now - neighbour.lastSaid() > KEEP_ALIVE.toNanos()) {
        neighbour.wish(List.of(), List.of());
      }
    }
    long idle = watch.idle(neighbours, now);
    Optional<String> verdict =
        watch.verdict(Math.min(idle, plainReads.idle(now)), plainReads.isPossible(), now);
    if (verdict.isPresent()) {
      fail(verdict.get());
      return false;
    }
    incoming.stillComing();
    if (plainReads.begin(now, progress.arrived(), isUnverifiable() ? Long.MAX_VALUE : idle)) {
      readPlainly();
    }
    return watch.needsMore(idle, now);
  }

  private long unread(long now) {
    return Math.min(now - begun, incoming.unread(now));
  }

  private void readPlainly() {
    try {
      owner.readPlainly(this);
    } catch (RuntimeException | Error e) {
      // Such as for want of threads; other downloads are to be looked after, too.
      plainReads.end();
      LOG.warn("{} cannot be read from its replicas now", path, e);
    }
  }

  private void endIfWhole() {
    if (!traffic.isComplete() || !end("whole")) {
      return;
    }
    owner.ended(this, true, isFruitless());
    metrics.completed();
    LOG.info("{} is here as a swarm: {}", path, account(System.nanoTime()));
    close();
  }

  /** Gives up what is missing: readers go to HDFS. */
  void fail(String reason) {
    if (!end(reason)) {
      return;
    }
    metrics.failed();
    LOG.warn("{} is read from HDFS: {}. {}", path, reason, account(System.nanoTime()));
    owner.ended(this, false, isFruitless());
    incoming.fail(reason);
    close();
  }

  /** The link is for what somebody waits for. What has come is sent to those who have asked. */
  private void abandon() {
    String reason = "nobody reads it any more";
    if (!end(reason)) {
      return;
    }
    metrics.abandoned();
    LOG.info("{} is not brought any further: {}", path, account(System.nanoTime()));
    incoming.suspend(reason);
    close();
  }

  /** What operators are told at its end. */
  String account(long now) {
    return "%s, gave way to other files for %d ms"
        .formatted(progress, plainReads.given(now) / 1_000_000);
  }

  /** False if it has ended already. */
  private synchronized boolean end(String outcome) {
    if (ended) {
      return false;
    }
    ended = true;
    progress.ended(outcome);
    metrics.gaveWay(plainReads.given(System.nanoTime()) / 1_000_000);
    return true;
  }

  private boolean isFruitless() {
    return !progress.isFruitful() && !acquaintances.hasAnyoneRefused();
  }

  @Override
  public void close() {
    synchronized (this) {
      ended = true;
    }
    traffic.end();
    buffers.close();
    acquaintances.close();
    incoming.close();
  }

  @Override
  public synchronized boolean ended() {
    return ended;
  }

  /** The blocks that were to come, whether they came or not. */
  List<CachedBlock> blocks() {
    return incoming.blocks();
  }
}
