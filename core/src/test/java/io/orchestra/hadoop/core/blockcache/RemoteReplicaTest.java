package io.orchestra.hadoop.core.blockcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
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
