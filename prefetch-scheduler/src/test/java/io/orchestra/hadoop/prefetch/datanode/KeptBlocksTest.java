package io.orchestra.hadoop.prefetch.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.Lease;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import io.orchestra.hadoop.core.blockcache.Replica;
import io.orchestra.hadoop.core.blockcache.TestBlocks;
import io.orchestra.hadoop.core.daemon.UserBudget;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto.State;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PaceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.SourceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.StartProto;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A block that has come and waits for its reader, for a minute after its time. */
final class KeptBlocksTest {
  private static final int LENGTH = 100;
  private static final long FLOW = 1;
  private static final BlockKey BLOCK = new BlockKey("pool", 1, 1);

  private final UserBudget room = new UserBudget(1000, 1000);
  private final PrefetchMetrics metrics = new PrefetchMetrics(room);
  private TestBlocks blocks;
  private Prefetches prefetches;
  private long now = System.nanoTime();

  /** All of it is in the cache before it is wanted. */
  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    blocks = new TestBlocks(directory.resolve("cache"));
    BlockPieces pieces = new BlockPieces(LENGTH, 1 << 10);
    ByteBuffer content = ByteBuffer.allocate(LENGTH);
    try (Lease lease = blocks.begin(BLOCK, pieces).orElseThrow()) {
      int sum = PieceSums.Kind.CRC32.of(content);
      lease.block().expect(new PieceSums(PieceSums.Kind.CRC32, pieces, new int[] {sum}));
      assertThat(lease.block().put(0, content)).isTrue();
    }
    prefetches =
        new Prefetches(new FilledHost(), metrics, Duration.ofMinutes(1), () -> now, () -> {});
    prefetches.obey(CommandProto.newBuilder().setNumber(1).setStart(order(FLOW)).build());
    await().until(() -> states().equals(List.of(State.ARRIVED)));
    prefetches.told(prefetches.states());
    assertThat(states()).isEmpty();
  }

  @AfterEach
  void end() {
    prefetches.close();
    metrics.close();
    blocks.close();
  }

  private List<State> states() {
    return prefetches.states().stream().map(FlowProto::getState).toList();
  }

  @Test
  void itIsKeptForAReaderWhoComesLater() {
    pass(Duration.ofSeconds(30));
    putOff(Duration.ofSeconds(40));
    pass(Duration.ofSeconds(100));
    assertThat(room.taken()).isEqualTo(LENGTH);

    pass(Duration.ofNanos(1));
    assertThat(room.taken()).isZero();
    putOff(Duration.ofSeconds(40));
    assertThat(states()).as("it is of the past").isEmpty();
  }

  @Test
  void nobodyElseKeepsItInItsUsersRoomForLonger() {
    prefetches.obey(
        CommandProto.newBuilder()
            .setNumber(2)
            .setStart(order(2).setUser("other").setMillisToDeadline(40_000))
            .build());
    assertThat(states()).containsExactly(State.ARRIVED);
    prefetches.told(prefetches.states());
    prefetches.obey(
        CommandProto.newBuilder()
            .setNumber(3)
            .setPace(PaceProto.newBuilder().setFlow(2).setRate(0).setMillisToDeadline(40_000))
            .build());
    pass(Duration.ofSeconds(61).plusNanos(1));

    assertThat(room.taken()).isZero();
  }

  @Test
  void aDeadlineThatComesNearerTakesNothingAway() {
    putOff(Duration.ofSeconds(30));
    putOff(Duration.ZERO);
    pass(Duration.ofSeconds(90));

    assertThat(room.taken()).isEqualTo(LENGTH);
  }

  @Test
  void whoeverPutsItOffAgainAndAgainItIsKeptForAnHour() {
    for (int minute = 1; minute <= 61; minute++) {
      pass(Duration.ofMinutes(1));
      putOff(Duration.ofMinutes(10));
      if (minute == 30) {
        // From elsewhere it comes for the same map.
        prefetches.obey(
            CommandProto.newBuilder().setNumber(2).setStart(order(2).setBefore(FLOW)).build());
      }
      assertThat(room.taken()).as("in minute %s", minute).isEqualTo(LENGTH);
    }
    pass(Duration.ofNanos(1));

    assertThat(room.taken()).isZero();
  }

  @Test
  void anotherCoordinatorHasOtherNamesForIt() {
    prefetches.startAnew();
    putOff(Duration.ofSeconds(40));
    pass(Duration.ofSeconds(62));

    assertThat(room.taken()).isZero();
  }

  private void pass(Duration time) {
    now += time.toNanos();
    prefetches.tick();
  }

  private void putOff(Duration lead) {
    prefetches.obey(
        CommandProto.newBuilder()
            .setNumber(1)
            .setPace(
                PaceProto.newBuilder()
                    .setFlow(FLOW)
                    .setRate(0)
                    .setMillisToDeadline(lead.toMillis()))
            .build());
  }

  private static StartProto.Builder order(long flow) {
    return Orders.order(flow, BLOCK, LENGTH).addSources(Orders.source("source"));
  }

  private final class FilledHost extends FakeHost {
    private FilledHost() {
      super(room);
    }

    @Override
    Replica replica(SourceProto source) {
      return new UnusedReplica();
    }

    @Override
    public Optional<Lease> begin(BlockKey block, BlockPieces pieces) throws IOException {
      return blocks.begin(block, pieces);
    }
  }

  private static final class UnusedReplica implements Replica {
    @Override
    public PieceSums sums(BlockPieces pieces) {
      throw new AssertionError("they are known");
    }

    @Override
    public Bytes open(long position, long length) {
      throw new AssertionError("nothing is fetched");
    }

    @Override
    public void doubt(long position, long length) {
      throw new AssertionError("nothing is fetched");
    }
  }
}
