package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSet;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.PieceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto.Role;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.net.Peer;
import org.junit.jupiter.api.Test;

final class NeighbourConnectionTest {
  private static final int PIECE = 16 << 20;
  private static final HelloProto HELLO =
      HelloProto.newBuilder()
          .setDatanodeUuid("this one")
          .setBlockPool("pool")
          .setPieceLength(PIECE)
          .setMutual(false)
          .build();

  @Test
  void leavesNoLargeBufferBehindInTheThreadThatReceives() throws IOException {
    byte[] content = new byte[PIECE];
    new Random(1).nextBytes(content);
    Kept kept = new Kept();
    try (PlainConnection connection = PlainConnection.open()) {
      CompletableFuture<Void> other =
          CompletableFuture.runAsync(() -> sendPiece(connection, content));
      long before = DirectMemory.used();
      neighbour(connection.streams()).run(HELLO, kept);
      assertThat(DirectMemory.used() - before).isLessThan(1 << 20);
      other.join();
    }
    assertThat(kept.pieces).containsExactly(ByteBuffer.wrap(content));
    assertThat(kept.arrived).isEqualTo(PIECE);
  }

  /** Who asks may be the thread of another neighbour, a reader's, or the clock's. */
  @Test
  void isLeftIfItIsAskedWhenItsThreadHasClosedIt() throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (SocketChannel channel = SocketChannel.open(listener.getLocalAddress())) {
        Peer peer = DFSUtilClient.peerFromSocket(channel.socket());
        PeerStreams closed =
            new PeerStreams(channel, peer, peer.getInputStream(), new ClosedSaslStream());

        neighbour(closed).wish(List.of(0), List.of());

        assertThat(channel.isOpen()).isFalse();
      }
    }
  }

  /** As one is with integrity or privacy. */
  private static final class ClosedSaslStream extends OutputStream {
    @Override
    public void write(int oneByte) {
      throw new IllegalStateException("Neither integrity nor privacy was negotiated");
    }
  }

  private static NeighbourConnection neighbour(PeerStreams streams) {
    return new NeighbourConnection(
        new Introduction(
            new PeerAddress("a DataNode", "localhost", 8121),
            true,
            Role.RECEIVER,
            ImmutableSet.of()),
        streams,
        new FileLayout(List.of(new BlockKey("pool", 1, 1)), List.of((long) PIECE), PIECE),
        new PieceBuffers(PIECE));
  }

  private static void sendPiece(PlainConnection connection, byte[] content) {
    try {
      OutputStream out = connection.other().getOutputStream();
      HelloResponseProto.getDefaultInstance().writeDelimitedTo(out);
      PieceProto.newBuilder().setPiece(0).build().writeDelimitedTo(out);
      out.write(content);
      connection.other().shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Kept implements NeighbourConnection.Listener {
    private final List<ByteBuffer> pieces = new ArrayList<>();
    private long arrived;

    @Override
    public void welcomed(NeighbourConnection from, HelloResponseProto welcome) {}

    @Override
    public void gained(NeighbourConnection from, List<Integer> gained) {}

    @Override
    public void refused(NeighbourConnection from, int piece) {}

    @Override
    public void arriving(int bytes) {
      arrived += bytes;
    }

    @Override
    public boolean received(NeighbourConnection from, int piece, ByteBuffer bytes, long nanos) {
      pieces.add(bytes.duplicate());
      return true;
    }
  }
}
