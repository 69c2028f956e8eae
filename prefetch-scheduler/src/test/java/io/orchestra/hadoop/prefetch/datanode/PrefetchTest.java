package io.orchestra.hadoop.prefetch.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.Lease;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import io.orchestra.hadoop.core.blockcache.Replica;
import io.orchestra.hadoop.core.blockcache.TestBlocks;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.BlockProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto.State;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.SourceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.StartProto;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of a block that others bring, too. */
final class PrefetchTest {
  private static final long LENGTH = 100;
  private static final BlockKey BLOCK = new BlockKey("pool", 1, 1);

  private TestBlocks blocks;
  private Lease other;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    blocks = new TestBlocks(directory.resolve("cache"));
    other = blocks.begin(BLOCK, new BlockPieces(LENGTH, 1 << 10)).orElseThrow();
  }

  @AfterEach
  void end() {
    other.close();
    blocks.close();
  }

  @Test
  void readersThatWaitHurryItWhileItGoesOn() throws IOException {
    Prefetch prefetch = new Prefetch(order(), new Host(true));
    prefetch.run();

    assertThat(prefetch.state()).isEqualTo(State.FAILED);
    assertThat(prefetch.isHurried()).isTrue();
  }

  @Test
  void theyDoNotWhenItHasEnded() throws IOException, InterruptedException {
    Prefetch prefetch = new Prefetch(order(), new Host(false));
    prefetch.run();
    TestBlocks.readInVain(other.block(), 0);

    assertThat(prefetch.isHurried()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {LENGTH - 1, LENGTH + 1})
  void whileItIsHereWithAnotherLengthItMayBeTriedAgain(long length) throws IOException {
    StartProto.Builder order = order().toBuilder();
    order.getBlockBuilder().setLength(length);
    Host host = new Host(false);
    Prefetch prefetch = new Prefetch(order.build(), host);
    prefetch.run();

    assertThat(prefetch.state()).isEqualTo(State.NO_ROOM);
    assertThat(host.room().taken()).isZero();
  }

  private static StartProto order() throws IOException {
    DataOutputBuffer token = new DataOutputBuffer();
    new Token<BlockTokenIdentifier>().write(token);
    return StartProto.newBuilder()
        .setFlow(1)
        .setBlock(
            BlockProto.newBuilder()
                .setPool(BLOCK.pool())
                .setId(BLOCK.id())
                .setGenerationStamp(BLOCK.generationStamp())
                .setLength(LENGTH))
        .setToken(ByteString.copyFrom(token.getData(), 0, token.getLength()))
        .setUser("user")
        .addSources(
            SourceProto.newBuilder()
                .setDatanodeUuid("uuid")
                .setHost("source")
                .setAddress("127.0.0.1")
                .setTransferPort(1))
        .setRate(1)
        .setMillisToDeadline(1000)
        .build();
  }

  /** Its only source gives nothing, after a reader has waited for it or not. */
  private final class Host implements Prefetch.Host {
    private final Room room = new Room(1000, 1000);
    private final boolean isAwaited;

    private Host(boolean isAwaited) {
      this.isAwaited = isAwaited;
    }

    @Override
    public void verify(BlockKey block, Token<BlockTokenIdentifier> token) {}

    @Override
    public Replicas replicas() {
      return new Replicas() {
        @Override
        public boolean isHere(BlockKey block) {
          return false;
        }

        @Override
        public Replica at(SourceProto source, BlockKey block, long length, OptionalInt port) {
          return new Broken();
        }
      };
    }

    private final class Broken implements Replica {
      @Override
      public PieceSums sums(BlockPieces pieces) throws IOException {
        try {
          if (isAwaited) {
            TestBlocks.readInVain(other.block(), 0);
          }
        } catch (InterruptedException e) {
          throw new InterruptedIOException();
        }
        throw new IOException("made up");
      }

      @Override
      public Bytes open(long position, long length) {
        throw new AssertionError("without sums nothing is read");
      }
    }

    @Override
    public Optional<Lease> begin(BlockKey block, BlockPieces pieces) throws IOException {
      return blocks.begin(block, pieces);
    }

    @Override
    public Room room() {
      return room;
    }

    @Override
    public void copied(long bytes) {}
  }
}
