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
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto.State;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.SourceProto;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A block that is on its way and has a reader already. */
final class ReadCopiesTest {
  private static final int LENGTH = 100;
  private static final BlockKey BLOCK = new BlockKey("pool", 1, 1);

  private final UserBudget room = new UserBudget(1000, 1000);
  private final PrefetchMetrics metrics = new PrefetchMetrics(room);
  private final CountDownLatch asked = new CountDownLatch(1);
  private TestBlocks blocks;
  private Lease lease;
  private Prefetches prefetches;
  private long now = System.nanoTime();

  @BeforeEach
  void start(@TempDir Path directory) throws IOException, InterruptedException {
    blocks = new TestBlocks(directory.resolve("cache"));
    lease = blocks.begin(BLOCK, new BlockPieces(LENGTH, 1 << 10)).orElseThrow();
    prefetches =
        new Prefetches(new SlowHost(), metrics, Duration.ofMinutes(1), () -> now, () -> {});
    prefetches.obey(
        CommandProto.newBuilder()
            .setNumber(1)
            .setStart(Orders.order(1, BLOCK, LENGTH).addSources(Orders.source("source")))
            .build());
    asked.await();
    TestBlocks.open(lease.block());
  }

  @AfterEach
  void end() {
    prefetches.close();
    metrics.close();
    lease.close();
    blocks.close();
  }

  @Test
  void itHasFiveMinutesMore() {
    assertThat(afterItsTimeAnd(Duration.ZERO)).isEqualTo(State.COPYING);
    assertThat(afterItsTimeAnd(Duration.ofMinutes(5))).isEqualTo(State.NO_ROOM);
    await().until(() -> room.taken() == 0);
  }

  @Test
  void withoutItsReaderItsTimeIsOver() {
    TestBlocks.leave(lease.block());

    assertThat(afterItsTimeAnd(Duration.ZERO)).isEqualTo(State.NO_ROOM);
  }

  /** What the only flow is said to be, a minute and a moment and so much after its deadline. */
  private State afterItsTimeAnd(Duration more) {
    now += Duration.ofSeconds(62).plus(more).toNanos();
    prefetches.tick();
    List<State> states = prefetches.states().stream().map(FlowProto::getState).toList();
    assertThat(states).hasSize(1);
    return states.get(0);
  }

  /** Its source does not answer. */
  private final class SlowHost extends FakeHost {
    private SlowHost() {
      super(room);
    }

    @Override
    Replica replica(SourceProto source) {
      return new EmptyReplica(
          () -> {
            asked.countDown();
            waitFor(new CountDownLatch(1));
          });
    }

    @Override
    public Optional<Lease> begin(BlockKey block, BlockPieces pieces) throws IOException {
      return blocks.begin(block, pieces);
    }
  }
}
