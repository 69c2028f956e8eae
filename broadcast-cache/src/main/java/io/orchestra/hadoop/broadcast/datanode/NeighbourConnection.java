package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.broadcast.algorithm.Place;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.PieceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.WishProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto.Role;
import io.orchestra.hadoop.core.blockcache.ReadPause;
import io.orchestra.hadoop.core.rpc.Delimited;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A receiver's connection to one neighbour. {@link #run} reads until the connection ends; {@link
 * #wish} may be called by any thread.
 */
final class NeighbourConnection implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(NeighbourConnection.class);
  private static final int LONGEST_WELCOME = 16 << 20;
  private static final int LONGEST_NEWS = 1 << 20;

  /** For every thread the JDK keeps a direct buffer as long as its longest read was. */
  private static final int LONGEST_READ = 128 << 10;

  /** Beyond the pieces that were asked for: word that one is needless may come too late. */
  private static final int MOST_UNASKED = 32;

  /** What a connection tells of. Called by the thread that runs it. */
  interface Listener {
    /** The neighbour answered, and has this. */
    void welcomed(NeighbourConnection from, HelloResponseProto welcome) throws IOException;

    void gained(NeighbourConnection from, List<Integer> pieces);

    void refused(NeighbourConnection from, int piece);

    /** So many bytes of a piece have come. */
    void arriving(int bytes);

    /**
     * @param nanos from the first to the last byte
     * @return false if it was not asked for, or is needless by now
     * @throws IOException if the connection is to end
     */
    boolean received(NeighbourConnection from, int piece, ByteBuffer bytes, long nanos)
        throws IOException;
  }

  private final Introduction introduction;
  private final PeerStreams streams;
  private final FileLayout layout;
  private final PieceBuffers buffers;

  /** Of the thread that runs this. */
  private final ReadPause pauses = new ReadPause();

  private volatile long lastSaid = System.nanoTime();

  private volatile long lastByte = System.nanoTime();
  private volatile boolean refused;
  private volatile boolean sentBytes;

  /** Pieces that came unasked, less those that came as asked; of the thread that runs this. */
  private int unasked;

  /**
   * @param buffers shared by all connections of the file
   */
  NeighbourConnection(
      Introduction introduction, PeerStreams streams, FileLayout layout, PieceBuffers buffers) {
    this.introduction = introduction;
    this.streams = streams;
    this.layout = layout;
    this.buffers = buffers;
  }

  PeerAddress address() {
    return introduction.address();
  }

  Place place() {
    return introduction.place();
  }

  Role role() {
    return introduction.role();
  }

  /** Blocks of the file that it has a replica of, as the tracker says. */
  Set<Integer> replicas() {
    return introduction.replicas();
  }

  /** Whether it has said that nothing can be had from it. */
  boolean hasRefused() {
    return refused;
  }

  /** When the last byte of a piece came, or the connection began; {@link System#nanoTime}. */
  long lastByte() {
    return lastByte;
  }

  boolean hasSentBytes() {
    return sentBytes;
  }

  /**
   * Until the neighbour leaves.
   *
   * @throws IOException if it says what makes no sense, or is silent for too long
   */
  void run(HelloProto hello, Listener listener) throws IOException {
    hello.writeDelimitedTo(streams.out());
    streams.out().flush();
    HelloResponseProto welcome =
        Delimited.read(streams.in(), HelloResponseProto.parser(), LONGEST_WELCOME);
    refused = welcome != null && welcome.hasRefused();
    if (welcome == null || welcome.hasRefused()) {
      return;
    }
    listener.welcomed(this, welcome);
    streams.readTimeout(PeerListener.LONGEST_SILENCE);
    PieceProto news;
    while ((news = Delimited.read(streams.in(), PieceProto.parser(), LONGEST_NEWS)) != null) {
      if (news.getGainedCount() > 0) {
        listener.gained(this, valid(news.getGainedList()));
      }
      if (news.hasRefused()) {
        listener.refused(this, valid(news.getRefused()));
      }
      if (news.hasPiece()) {
        receive(valid(news.getPiece()), listener);
      }
    }
  }

  private void receive(int piece, Listener listener) throws IOException {
    long began = System.nanoTime();
    ByteBuffer buffer = buffers.take();
    try {
      read(piece, buffer, listener);
      boolean asked = listener.received(this, piece, buffer, System.nanoTime() - began);
      unasked = Math.max(0, unasked + (asked ? -1 : 1));
    } finally {
      buffers.giveBack(buffer);
    }
    if (unasked > MOST_UNASKED) {
      throw new IOException("%s sends pieces unasked".formatted(address()));
    }
  }

  private int valid(int piece) throws IOException {
    if (piece < 0 || piece >= layout.pieces()) {
      throw new IOException(
          "%s speaks of piece %d of %d".formatted(address(), piece, layout.pieces()));
    }
    return piece;
  }

  private List<Integer> valid(List<Integer> pieces) throws IOException {
    for (int piece : pieces) {
      int unused = valid(piece);
    }
    return pieces;
  }

  private void read(int piece, ByteBuffer buffer, Listener listener) throws IOException {
    buffer.limit(layout.length(piece));
    long before = System.nanoTime();
    for (int at = 0; at < buffer.limit(); ) {
      int length = Math.min(LONGEST_READ, buffer.limit() - at);
      int read = streams.in().read(buffer.array(), at, length);
      if (read < 0) {
        throw new EOFException("%s left in the middle of a piece".formatted(address()));
      }
      at += read;
      long now = System.nanoTime();
      lastByte = now;
      sentBytes = true;
      listener.arriving(read);
      if (streams.mayPause()) {
        LockSupport.parkNanos(pauses.nanos(read, now - before, buffer.limit() - at));
      }
      before = now;
    }
  }

  /**
   * Asks for pieces, and takes back what was asked for; both may be empty. Leaves if that fails.
   */
  void wish(List<Integer> wanted, List<Integer> needless) {
    try {
      say(WishProto.newBuilder().addAllWanted(wanted).addAllNeedless(needless).build());
    } catch (IOException | RuntimeException e) {
      // After SASL's streams are closed to wrap is an IllegalStateException (DigestMD5Base.wrap).
      LOG.debug("{} takes no wishes", address(), e);
      leave();
    }
  }

  private synchronized void say(WishProto wish) throws IOException {
    wish.writeDelimitedTo(streams.out());
    streams.out().flush();
    lastSaid = System.nanoTime();
  }

  /** When it was last asked for anything; {@link System#nanoTime}. */
  long lastSaid() {
    return lastSaid;
  }

  static BitSet pieces(HelloResponseProto welcome, FileLayout layout) {
    BitSet has = BitSet.valueOf(welcome.getHas().toByteArray());
    has.clear(layout.pieces(), Math.max(layout.pieces(), has.length()));
    return has;
  }

  /** Ends it, whatever the other side makes of that; from any thread. */
  void leave() {
    try {
      streams.end();
    } catch (IOException e) {
      LOG.debug("The connection to {} did not close", address(), e);
    }
  }

  /** By the thread that has run it. */
  @Override
  public void close() throws IOException {
    streams.close();
  }
}
