package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.PieceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.WishProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto.Role;
import io.orchestra.hadoop.core.rpc.Delimited;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;

/**
 * A receiver's connection to one neighbour. {@link #run} reads until the connection ends; {@link
 * #wish} may be called by any thread.
 */
final class NeighbourConnection implements Closeable {
  private static final int LONGEST_WELCOME = 16 << 20;
  private static final int LONGEST_NEWS = 1 << 20;

  /** What a connection tells of. Called by the thread that runs it. */
  interface Listener {
    /** The neighbour answered, and has this. */
    void welcomed(NeighbourConnection from, HelloResponseProto welcome) throws IOException;

    void gained(NeighbourConnection from, List<Integer> pieces);

    void refused(NeighbourConnection from, int piece);

    /**
     * @param nanos from the first to the last byte
     * @throws IOException if the connection is to end
     */
    void received(NeighbourConnection from, int piece, ByteBuffer bytes, long nanos)
        throws IOException;
  }

  private final PeerAddress address;
  private final boolean near;
  private final Role role;
  private final PeerStreams streams;
  private final FileLayout layout;
  private final PieceBuffers buffers;
  private volatile long lastSaid = System.nanoTime();

  /**
   * @param near not behind a link that many share
   * @param role as the tracker says
   * @param buffers shared by all connections of the file
   */
  NeighbourConnection(
      PeerAddress address,
      boolean near,
      Role role,
      PeerStreams streams,
      FileLayout layout,
      PieceBuffers buffers) {
    this.address = address;
    this.near = near;
    this.role = role;
    this.streams = streams;
    this.layout = layout;
    this.buffers = buffers;
  }

  PeerAddress address() {
    return address;
  }

  boolean near() {
    return near;
  }

  Role role() {
    return role;
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
      read(piece, buffer);
      listener.received(this, piece, buffer, System.nanoTime() - began);
    } finally {
      buffers.giveBack(buffer);
    }
  }

  private int valid(int piece) throws IOException {
    if (piece < 0 || piece >= layout.pieces()) {
      throw new IOException(
          "%s speaks of piece %d of %d".formatted(address, piece, layout.pieces()));
    }
    return piece;
  }

  private List<Integer> valid(List<Integer> pieces) throws IOException {
    for (int piece : pieces) {
      int unused = valid(piece);
    }
    return pieces;
  }

  private void read(int piece, ByteBuffer buffer) throws IOException {
    buffer.limit(layout.length(piece));
    if (streams.in().readNBytes(buffer.array(), 0, buffer.limit()) < buffer.limit()) {
      throw new EOFException("%s left in the middle of a piece".formatted(address));
    }
  }

  /** Asks for pieces, and takes back what was asked for. Both may be empty. */
  synchronized void wish(List<Integer> wanted, List<Integer> needless) throws IOException {
    WishProto.newBuilder()
        .addAllWanted(wanted)
        .addAllNeedless(needless)
        .build()
        .writeDelimitedTo(streams.out());
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

  @Override
  public void close() throws IOException {
    streams.close();
  }
}
