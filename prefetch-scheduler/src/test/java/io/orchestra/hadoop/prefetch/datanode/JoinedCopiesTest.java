package io.orchestra.hadoop.prefetch.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.Lease;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import io.orchestra.hadoop.core.blockcache.Replica;
import io.orchestra.hadoop.core.blockcache.TestBlocks;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.BlockProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.SourceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.StartProto;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One user's copy that another has joined, and that does not come. */
final class JoinedCopiesTest {
  private static final String GOOD = "good";
  private static final String BAD = "bad";
  private static final BlockKey BLOCK = new BlockKey("pool", 1, 1);
  private static final int LENGTH = 100;

  private final Room room = new Room(1000, 1000);
  private final PrefetchMetrics metrics = new PrefetchMetrics(room);
  private final CountDownLatch verified = new CountDownLatch(1);
  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private final Prefetches prefetches =
      new Prefetches(new EmptyHost(), metrics, Duration.ofMinutes(1), System::nanoTime, () -> {});
  private TestBlocks blocks;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    blocks = new TestBlocks(directory.resolve("cache"));
  }

  @AfterEach
  void end() {
    verified.countDown();
    prefetches.close();
    metrics.close();
    blocks.close();
  }

  @Test
  void aSourceThatDoesNotHaveItSaysNothingOfAnothersSource() throws IOException {
    start(1, "liar", GOOD, "wrong");
    start(2, "honest", GOOD, "right");
    verified.countDown();
    awaitStates("1 FAILED", "2 EXPIRED");
    assertThat(asked).containsExactly("wrong");

    prefetches.told(prefetches.states());
    assertThat(states()).isEmpty();
    start(3, "honest", GOOD, "right");
    awaitStates("3 FAILED");
    assertThat(asked).as("by the next order his own is").containsExactly("wrong", "right");
  }

  @Test
  void aTokenThatIsNotValidSaysNothingOfAnothers() throws IOException {
    start(1, "liar", BAD, "right");
    start(2, "honest", GOOD, "right");
    verified.countDown();

    awaitStates("1 FORBIDDEN", "2 EXPIRED");
  }

  @Test
  void whoBeginsWhereAnothersCopyHasFailedHasHisOwn() throws IOException {
    start(1, "liar", GOOD, "wrong");
    verified.countDown();
    awaitStates("1 FAILED");
    start(2, "honest", GOOD, "right");

    awaitStates("1 EXPIRED", "2 FAILED");
  }

  private void awaitStates(String... states) {
    await().untilAsserted(() -> assertThat(states()).containsExactlyInAnyOrder(states));
  }

  private List<String> states() {
    return prefetches.states().stream().map(JoinedCopiesTest::told).toList();
  }

  private static String told(FlowProto flow) {
    return flow.getFlow() + " " + (flow.getExpired() ? "EXPIRED" : flow.getState());
  }

  private void start(long flow, String user, String password, String source) throws IOException {
    DataOutputBuffer token = new DataOutputBuffer();
    byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
    new Token<BlockTokenIdentifier>(new byte[0], bytes, new Text(), new Text()).write(token);
    StartProto order =
        StartProto.newBuilder()
            .setFlow(flow)
            .setBlock(
                BlockProto.newBuilder()
                    .setPool(BLOCK.pool())
                    .setId(BLOCK.id())
                    .setGenerationStamp(BLOCK.generationStamp())
                    .setLength(LENGTH))
            .setToken(ByteString.copyFrom(token.getData(), 0, token.getLength()))
            .setUser(user)
            .addSources(
                SourceProto.newBuilder()
                    .setDatanodeUuid(source)
                    .setHost(source)
                    .setAddress("127.0.0.1")
                    .setTransferPort(1))
            .setRate(0)
            .setMillisToDeadline(1000)
            .build();
    prefetches.obey(CommandProto.newBuilder().setNumber(flow).setStart(order).build());
  }

  /** No source gives anything, and bad tokens are found out late. */
  private final class EmptyHost implements Prefetch.Host {
    @Override
    public void verify(BlockKey block, Token<BlockTokenIdentifier> token) throws IOException {
      if (!new String(token.getPassword(), StandardCharsets.UTF_8).equals(GOOD)) {
        awaitVerified();
        throw new IOException("not a token of this block");
      }
    }

    private void awaitVerified() throws IOException {
      try {
        verified.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
    }

    @Override
    public Replicas replicas() {
      return new Replicas() {
        @Override
        public boolean isHere(BlockKey block) {
          return false;
        }

        @Override
        public Replica at(SourceProto source, BlockKey block, long length, OptionalInt port) {
          return new Missing(source.getHost());
        }
      };
    }

    private final class Missing implements Replica {
      private final String source;

      private Missing(String source) {
        this.source = source;
      }

      @Override
      public PieceSums sums(BlockPieces pieces) throws IOException {
        awaitVerified();
        asked.add(source);
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
