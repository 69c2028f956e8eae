package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.OfferedBlockProto;
import io.orchestra.hadoop.core.blockcache.BlockTokens;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file of as many blocks as there may be, and of names that are long. */
final class HelloLengthTest {
  private static final String POOL = "BP-1234567890-192.168.100.200-1700000000000";
  private static final String USER = "hdfs/" + "a".repeat(63) + ".example.org@" + "R".repeat(63);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void thereIsRoomForAllTokensThatMayBeNeeded(boolean protobuf) throws IOException {
    BlockTokenSecretManager tokens =
        new BlockTokenSecretManager(60_000, 60_000, 0, 1, POOL, null, protobuf);
    HelloProto.Builder hello =
        HelloProto.newBuilder()
            .setDatanodeUuid("01234567-89ab-cdef-0123-456789abcdef")
            .setBlockPool(POOL)
            .setPieceLength(16 << 20)
            .setMutual(true);
    for (int block = 0; block < BroadcastConfig.MOST_BLOCKS; block++) {
      ExtendedBlock extended =
          new ExtendedBlock(POOL, Long.MAX_VALUE - block, Long.MAX_VALUE, Long.MAX_VALUE);
      hello.addBlocks(
          OfferedBlockProto.newBuilder()
              .setId(extended.getBlockId())
              .setGenerationStamp(extended.getGenerationStamp())
              .setLength(1L << 30)
              .setToken(token(tokens, extended)));
    }
    assertThat(hello.build().getSerializedSize()).isLessThan(PeerListener.LONGEST_HELLO / 2);
    assertThatCode(() -> PeerListener.verifyLengths(hello.build())).doesNotThrowAnyException();
  }

  /** Those who say that they are in a swarm are remembered, and told to the tracker. */
  @Test
  void aNameThatIsTooLongForADataNodeIsRefused() {
    HelloProto.Builder hello = HelloProto.newBuilder().setBlockPool(POOL).setPieceLength(16 << 20);
    assertThatCode(
            () -> PeerListener.verifyLengths(hello.setDatanodeUuid("a".repeat(64)).buildPartial()))
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () -> PeerListener.verifyLengths(hello.setDatanodeUuid("a".repeat(65)).buildPartial()))
        .hasMessage("a UUID of 65 characters");
  }

  /** A token does not tell how long its block is. */
  @Test
  void aFileOfMorePiecesThanThereCanBeIsRefused() {
    HelloProto.Builder hello = HelloProto.newBuilder().setBlockPool(POOL).setPieceLength(64 << 10);
    hello.addBlocksBuilder().setId(1).setLength((1L << 22) * (64 << 10) - 1);
    assertThatCode(() -> PeerListener.verifyLengths(hello.buildPartial()))
        .doesNotThrowAnyException();

    hello.addBlocksBuilder().setId(2).setLength(1);
    assertThatThrownBy(() -> PeerListener.verifyLengths(hello.buildPartial()))
        .hasMessage("4194305 pieces");
    hello.getBlocksBuilder(0).setLength(Long.MAX_VALUE);
    assertThatThrownBy(() -> PeerListener.verifyLengths(hello.buildPartial()))
        .hasMessageEndingWith(" pieces");
  }

  private static ByteString token(BlockTokenSecretManager tokens, ExtendedBlock block)
      throws IOException {
    return BlockTokens.write(
        tokens.generateToken(
            USER, block, EnumSet.of(AccessMode.READ), StorageType.EMPTY_ARRAY, new String[0]));
  }
}
