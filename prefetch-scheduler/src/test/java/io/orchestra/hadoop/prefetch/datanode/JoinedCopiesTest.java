package io.orchestra.hadoop.prefetch.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.Lease;
import io.orchestra.hadoop.core.blockcache.Replica;
import io.orchestra.hadoop.core.blockcache.TestBlocks;
import io.orchestra.hadoop.core.daemon.UserBudget;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.SourceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.StartProto;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One user's copy that another has joined, and that does not come. */
final class JoinedCopiesTest {
  private static final BlockKey BLOCK = new BlockKey("pool", 1, 1);
  private static final int LENGTH = 100;

  private final UserBudget room = new UserBudget(1000, 1000);
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
  void aSourceThatDoesNotHaveItSaysNothingOfAnothersSource() {
    start(1, "liar", "wrong");
    start(2, "honest", "right");
    verified.countDown();
    awaitStates("1 FAILED", "2 EXPIRED");
    assertThat(asked).containsExactly("wrong");

    prefetches.told(prefetches.states());
    assertThat(states()).isEmpty();
    start(3, "honest", "right");
    awaitStates("3 FAILED");
    assertThat(asked).as("by the next order his own is").containsExactly("wrong", "right");
  }

  @Test
  void aTokenThatIsNotValidSaysNothingOfAnothers() {
    start(order(1, "liar", "right").setToken(Orders.badToken()));
    start(2, "honest", "right");
    verified.countDown();

    awaitStates("1 FORBIDDEN", "2 EXPIRED");
  }

  @Test
  void whoBeginsWhereAnothersCopyHasFailedHasHisOwn() {
    start(1, "liar", "wrong");
    verified.countDown();
    awaitStates("1 FAILED");
    start(2, "honest", "right");

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

  private void start(long flow, String user, String source) {
    start(order(flow, user, source));
  }

  private static StartProto.Builder order(long flow, String user, String source) {
    return Orders.order(flow, BLOCK, LENGTH).setUser(user).addSources(Orders.source(source));
  }

  private void start(StartProto.Builder order) {
    prefetches.obey(CommandProto.newBuilder().setNumber(order.getFlow()).setStart(order).build());
  }

  /** No source gives anything, and bad tokens are found out late. */
  private final class EmptyHost extends FakeHost {
    private EmptyHost() {
      super(room);
    }

    @Override
    public void verify(BlockKey block, Token<BlockTokenIdentifier> token) throws IOException {
      if (Orders.isBad(token)) {
        waitFor(verified);
      }
      super.verify(block, token);
    }

    @Override
    Replica replica(SourceProto source) {
      return new EmptyReplica(
          () -> {
            waitFor(verified);
            asked.add(source.getHost());
          });
    }

    @Override
    public Optional<Lease> begin(BlockKey block, BlockPieces pieces) throws IOException {
      return blocks.begin(block, pieces);
    }
  }
}
