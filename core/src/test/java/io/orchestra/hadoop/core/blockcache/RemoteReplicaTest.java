package io.orchestra.hadoop.core.blockcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpBlockChecksumResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockChecksumOptionsProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockChecksumTypeProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ChecksumTypeProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.util.CrcComposer;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.Test;

final class RemoteReplicaTest {
  private static final int CHUNK = 512;
  private static final BlockPieces PIECES = new BlockPieces(3 * 1024 + 100, 1024);

  private final byte[] bytes = new byte[3 * 1024 + 100];

  /** Ports from which connections were tried to be made. */
  private final List<OptionalInt> attempts = new ArrayList<>();

  @Test
  void composedChecksumsAreThoseOfThePieces() throws IOException {
    new Random(1).nextBytes(bytes);

    PieceSums sums = RemoteReplica.sums(answer(PIECES).build(), PIECES);

    for (int piece = 0; piece < PIECES.count(); piece++) {
      ByteBuffer data = ByteBuffer.wrap(bytes, (int) PIECES.position(piece), PIECES.length(piece));
      assertThat(sums.matches(piece, data)).as("piece %s", piece).isTrue();
    }
  }

  @Test
  void whatAnOldDataNodeAnswersIsRefused() throws IOException {
    OpBlockChecksumResponseProto.Builder md5 =
        answer(PIECES)
            .clearBlockChecksumOptions()
            .setBlockChecksum(ByteString.copyFrom(new byte[4 * PIECES.count()]));

    assertRefused(md5, PIECES);
  }

  @Test
  void checksumsOfAnotherLengthOrOfOtherPiecesAreRefused() throws IOException {
    assertRefused(answer(PIECES), new BlockPieces(2 * 1024, 1024));
    assertRefused(
        answer(PIECES).setBlockChecksum(ByteString.copyFrom(new byte[4 * 3])),
        new BlockPieces(2 * 1024 + 100, 1024));
    assertRefused(answer(PIECES), new BlockPieces(PIECES.blockLength(), 1000));
    assertRefused(answer(PIECES).setBytesPerCrc(1000), PIECES);
  }

  @Test
  void withoutChecksumsOfItsOwnAReplicaIsOfNoUse() throws IOException {
    assertRefused(answer(PIECES).setCrcType(ChecksumTypeProto.CHECKSUM_NULL), PIECES);
  }

  @Test
  void aPortThatSomebodyListensOnIsDoneWithout() throws IOException {
    try (ServerSocket source = listening();
        ServerSocket other = new ServerSocket(0)) {
      try (Socket connected = connected(source.getLocalSocketAddress(), other.getLocalPort())) {
        assertThat(connected.isConnected()).isTrue();
        assertThat(connected.getLocalPort()).isNotEqualTo(other.getLocalPort());
      }
    }
    assertThat(attempts).hasSize(2).last().isEqualTo(OptionalInt.empty());
  }

  @Test
  void aPortWithAConnectionToTheSameSourceIsDoneWithout() throws IOException {
    try (Socket shared = shared();
        ServerSocket source = listening()) {
      int port = shared.getLocalPort();
      try (Socket first = connected(source.getLocalSocketAddress(), port);
          Socket second = connected(source.getLocalSocketAddress(), port)) {
        assertThat(first.getLocalPort()).isEqualTo(port);
        assertThat(second.isConnected()).isTrue();
        assertThat(second.getLocalPort()).isNotEqualTo(port);
      }
      assertThat(attempts)
          .containsExactly(OptionalInt.of(port), OptionalInt.of(port), OptionalInt.empty());
    }
  }

  @Test
  void aSourceThatDoesNotAnswerIsNotAskedTwice() throws IOException {
    try (Socket shared = shared();
        Socket deaf = shared()) {
      int port = shared.getLocalPort();
      SocketAddress nobody =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), deaf.getLocalPort());

      assertThatThrownBy(() -> connected(nobody, port)).isInstanceOf(ConnectException.class);

      assertThat(attempts).containsExactly(OptionalInt.of(port));
    }
  }

  private static ServerSocket listening() throws IOException {
    return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  /** Has a port that nobody else gets but who says, as it does, that it shares the port. */
  private static Socket shared() throws IOException {
    Socket shared = new Socket();
    shared.setReuseAddress(true);
    shared.bind(new InetSocketAddress(0));
    return shared;
  }

  private Socket connected(SocketAddress to, int localPort) throws IOException {
    return RemoteReplica.connect(
        OptionalInt.of(localPort),
        from -> {
          attempts.add(from);
          Socket socket = SocketChannel.open().socket();
          try {
            DataTransfer.connect(socket, (InetSocketAddress) to, from, 60_000);
          } catch (IOException e) {
            socket.close();
            throw e;
          }
          return socket;
        });
  }

  private static void assertRefused(
      OpBlockChecksumResponseProto.Builder answer, BlockPieces pieces) {
    assertThatThrownBy(() -> RemoteReplica.sums(answer.build(), pieces))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("checksums");
  }

  /** As BlockChecksumHelper composes it. */
  private OpBlockChecksumResponseProto.Builder answer(BlockPieces pieces) throws IOException {
    CrcComposer composer =
        CrcComposer.newStripedCrcComposer(DataChecksum.Type.CRC32C, CHUNK, pieces.pieceLength());
    for (int start = 0; start < bytes.length; start += CHUNK) {
      int length = Math.min(CHUNK, bytes.length - start);
      composer.update(PieceSums.Kind.CRC32C.of(ByteBuffer.wrap(bytes, start, length)), length);
    }
    return OpBlockChecksumResponseProto.newBuilder()
        .setBytesPerCrc(CHUNK)
        .setCrcPerBlock((bytes.length + CHUNK - 1) / CHUNK)
        .setCrcType(ChecksumTypeProto.CHECKSUM_CRC32C)
        .setBlockChecksum(ByteString.copyFrom(composer.digest()))
        .setBlockChecksumOptions(
            BlockChecksumOptionsProto.newBuilder()
                .setBlockChecksumType(BlockChecksumTypeProto.COMPOSITE_CRC)
                .setStripeLength(pieces.pieceLength()));
  }
}
