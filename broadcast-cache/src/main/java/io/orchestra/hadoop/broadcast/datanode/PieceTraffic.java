package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import io.orchestra.hadoop.broadcast.algorithm.PieceScheduler;
import io.orchestra.hadoop.broadcast.algorithm.RequestLimits;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import io.orchestra.hadoop.core.blockcache.WaitListener;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.IntPredicate;

/**
 * Which pieces of a file are here, who has others, and what is asked of whom: each call that
 * changes that asks for more at once. What readers wait for comes sooner.
 *
 * <p>Safe for concurrent use. Neither the network nor the disk is waited for under the lock.
 */
final class PieceTraffic implements WaitListener {
  private final FileLayout layout;
  private final DownloadProgress progress;

  // Guarded by this.
  private final PieceScheduler<NeighbourConnection> scheduler;
  private final NeighbourPieces pieces;
  private boolean ended;

  /**
   * @param start where this receiver begins, in [0, 1)
   */
  PieceTraffic(
      IncomingBlocks incoming, double start, RequestLimits limits, Random random, long begun) {
    layout = incoming.layout();
    scheduler = new PieceScheduler<>(layout.pieces(), start, limits, random);
    scheduler.alreadyHave(incoming.here());
    pieces = new NeighbourPieces(incoming, scheduler);
    progress = new DownloadProgress(layout.pieces(), scheduler.have(), begun);
  }

  DownloadProgress progress() {
    return progress;
  }

  /**
   * @throws NeighbourPieces.ReplicasDisagree if another DataNode has told other checksums
   * @throws IOException if the checksums do not fit the file
   */
  void welcomed(NeighbourConnection from, HelloResponseProto welcome) throws IOException {
    synchronized (this) {
      pieces.welcomed(from, welcome);
    }
    askForMore();
  }

  void gained(NeighbourConnection from, List<Integer> gained) {
    synchronized (this) {
      pieces.gained(from, gained);
    }
    askForMore();
  }

  void refused(NeighbourConnection from, int piece) {
    synchronized (this) {
      pieces.refused(from, piece);
    }
    askForMore();
  }

  void left(NeighbourConnection neighbour) {
    synchronized (this) {
      pieces.left(neighbour);
    }
    askForMore();
  }

  @Override
  public void awaited(int piece) {
    synchronized (this) {
      scheduler.awaited(piece);
    }
    askForMore();
  }

  @Override
  public void urgent(int piece) {
    synchronized (this) {
      scheduler.hasten(piece);
    }
    askForMore();
  }

  /**
   * Checksums of a block that are to be believed.
   *
   * @throws NeighbourPieces.ReplicasDisagree if another DataNode has told other checksums
   */
  void expect(int block, PieceSums sums) throws NeighbourPieces.ReplicasDisagree {
    synchronized (this) {
      pieces.expect(block, sums);
    }
    askForMore();
  }

  synchronized boolean isAsked(NeighbourConnection from, int piece) {
    return scheduler.asked(from).contains(piece);
  }

  /**
   * A neighbour has sent a piece, which is kept.
   *
   * @return false if it was here already
   */
  boolean received(NeighbourConnection from, int piece, DownloadProgress.Transfer transfer) {
    long now = System.nanoTime();
    boolean isNew;
    List<NeighbourConnection> needless;
    synchronized (this) {
      isNew = !scheduler.has(piece);
      needless = scheduler.arrived(from, piece, now);
      if (isNew) {
        boolean seed = pieces.hasReplica(from, layout.place(piece).block());
        progress.received(from.address().datanode(), seed, transfer, scheduler.have(), now);
      }
    }
    takeBack(needless, piece);
    return isNew;
  }

  /**
   * A piece was read from a replica, and is kept.
   *
   * @return false if it was here already
   */
  boolean read(int piece, int length) {
    List<NeighbourConnection> needless;
    synchronized (this) {
      if (scheduler.has(piece)) {
        return false;
      }
      needless = scheduler.arrived(piece);
      progress.read(length, scheduler.have(), System.nanoTime());
    }
    takeBack(needless, piece);
    return true;
  }

  private void takeBack(List<NeighbourConnection> needless, int piece) {
    needless.forEach(other -> other.wish(List.of(), List.of(piece)));
    askForMore();
  }

  /** See {@link PlainReads.Target#missing}. */
  synchronized OptionalInt missing(int from, IntPredicate blocks) {
    return scheduler.missing(from, piece -> blocks.test(layout.place(piece).block()));
  }

  /** See {@link PlainReads.Target#unasked}. */
  synchronized OptionalInt unasked(int from, IntPredicate blocks) {
    return scheduler.unasked(from, piece -> blocks.test(layout.place(piece).block()));
  }

  synchronized boolean has(int piece) {
    return scheduler.has(piece);
  }

  /** How many of the neighbours do not have all of the file. */
  synchronized int readers() {
    return pieces.readers();
  }

  synchronized boolean isComplete() {
    return scheduler.complete();
  }

  /** Bytes of pieces that are not here, as if all were as long. */
  synchronized long missingBytes() {
    return (long) (layout.pieces() - scheduler.have()) * layout.pieceLength();
  }

  /** Whether another file of this host goes first from now on. */
  void giveWay(boolean yes) {
    synchronized (this) {
      scheduler.giveWay(yes);
    }
    askForMore();
  }

  void askForMore() {
    List<PieceScheduler.Request<NeighbourConnection>> requests;
    synchronized (this) {
      if (ended) {
        return;
      }
      requests = scheduler.next(System.nanoTime());
    }
    if (requests.isEmpty()) {
      return;
    }
    ListMultimap<NeighbourConnection, Integer> wishes = ArrayListMultimap.create();
    requests.forEach(request -> wishes.put(request.neighbour(), request.piece()));
    wishes.asMap().forEach((neighbour, pieces) -> neighbour.wish(List.copyOf(pieces), List.of()));
  }

  /** Whom to leave. */
  synchronized List<NeighbourConnection> tooSlow(StallWatch watch, long now) {
    return watch.tooSlow(
        scheduler.waitingSince(watch.silentSince(now)),
        scheduler.waitingSince(watch.slowSince(now)),
        now);
  }

  /** Nothing is asked for any more. */
  synchronized void end() {
    ended = true;
  }
}
