package io.orchestra.hadoop.prefetch.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.Lease;
import io.orchestra.hadoop.core.daemon.UserBudget;
import io.orchestra.hadoop.prefetch.SourceMetrics;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CancelProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto.State;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PaceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.StartProto;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Copies that do not get on before the test ends. */
final class PrefetchesTest {
  private static final long BROKEN = 666;

  private final UserBudget room = new UserBudget(1_000_000, 1_000_000);
  private final PrefetchMetrics metrics = new PrefetchMetrics(room);
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger changes = new AtomicInteger();
  private long now = System.nanoTime();
  private final Prefetches prefetches =
      new Prefetches(
          new SlowHost(), metrics, Duration.ofMinutes(1), () -> now, changes::incrementAndGet);

  @AfterEach
  void end() {
    end.countDown();
    prefetches.close();
    metrics.close();
  }

  @Test
  void whoeverMayNotReadABlockJoinsNobodysCopyOfIt() {
    start(order(1, 5, 100));
    start(order(2, 5, 10).setToken(Orders.badToken()).setUser("other"));

    assertThat(states()).containsExactlyInAnyOrder("1 COPYING", "2 FORBIDDEN");
    assertThat(prefetches.rate(key(5))).isEqualTo(100);
  }

  /** Or he would hear from the answer whether anybody has it. */
  @Test
  void whoeverMayNotReadABlockIsToldSoWhateverLengthHeNames() {
    start(order(1, 5, 100));
    start(length(order(2, 5, 10).setToken(Orders.badToken()).setUser("other"), 1));

    assertThat(states()).containsExactlyInAnyOrder("1 COPYING", "2 FORBIDDEN");
  }

  @Test
  void aCopyOfAnotherLengthIsNobodysAndMayBeAskedForAgain() {
    start(length(order(1, 5, 100), 10));
    start(length(order(2, 5, 100), 20));
    start(length(order(3, 5, 100), 5));

    assertThat(states()).containsExactlyInAnyOrder("1 COPYING", "2 EXPIRED", "3 EXPIRED");
  }

  private static StartProto.Builder length(StartProto.Builder order, long length) {
    return order.setBlock(order.getBlock().toBuilder().setLength(length));
  }

  @Test
  void whatTheLastCoordinatorBeganGoesOnForTheNext() {
    start(order(1, 5, 100));
    prefetches.startAnew();
    assertThat(states()).isEmpty();
    start(order(7, 5, 100));

    assertThat(states()).containsExactly("7 COPYING");
  }

  @Test
  void aBlockComesAtTheRateOfTheFlowThatNeedsItMost() {
    start(order(1, 5, 100));
    start(order(2, 5, 10));
    assertThat(prefetches.rate(key(5))).isEqualTo(100);

    pace(2, 500);
    assertThat(prefetches.rate(key(5))).isEqualTo(500);
    pace(1, 50);
    assertThat(prefetches.rate(key(5))).isEqualTo(500);
    prefetches.obey(
        CommandProto.newBuilder()
            .setNumber(1)
            .setCancel(CancelProto.newBuilder().setFlow(2))
            .build());
    assertThat(prefetches.rate(key(5))).isEqualTo(50);
    start(order(3, 5, 0));
    assertThat(prefetches.rate(key(5))).as("as fast as it goes").isZero();
  }

  @Test
  void aBlockIsForReadersOnlyWhenAllMapsThatWantItAreLaunched() {
    start(order(1, 5, 0));
    assertThat(prefetches.isLaunched(key(5))).as("it is only not paced").isFalse();
    pace(PaceProto.newBuilder().setFlow(1).setRate(0).setLaunched(true));
    assertThat(prefetches.isLaunched(key(5))).isTrue();

    start(order(2, 5, 0));
    assertThat(prefetches.isLaunched(key(5))).isFalse();
    pace(PaceProto.newBuilder().setFlow(2).setRate(0).setLaunched(true));
    pace(2, 0, 1000);
    assertThat(prefetches.isLaunched(key(5))).as("it is launched once").isTrue();
    start(order(3, 6, 0).setLaunched(true));
    assertThat(prefetches.isLaunched(key(6))).isTrue();
  }

  @Test
  void halfOfAllCopiesAreForOtherUsers() {
    for (int flow = 1; flow <= 40; flow++) {
      start(order(flow, flow, 1));
    }
    assertThat(states()).filteredOn(state -> state.endsWith("COPYING")).hasSize(16);

    start(order(100, 100, 1).setUser("other"));
    assertThat(states()).contains("100 COPYING");
    assertThat(SourceMetrics.value(metrics, "Started"))
        .as("those that found no room, too")
        .isEqualTo(41);
    assertThat(SourceMetrics.value(metrics, "NoRoom")).isEqualTo(24);
  }

  @Test
  void noCoordinatorHasMoreAndMoreFlows() {
    for (int flow = 1; flow <= 3000; flow++) {
      start(order(flow, 5, 1));
    }

    assertThat(states()).hasSize(2000).contains("1000 COPYING", "3000 NO_ROOM");
  }

  @Test
  void theCoordinatorHearsAtOnceOfACopyThatIsRefused() {
    start(order(1, 5, 100));
    assertThat(changes).hasValue(0);
    start(order(2, 5, 10).setToken(Orders.badToken()));

    assertThat(states()).contains("2 FORBIDDEN");
    assertThat(changes).hasValue(1);
  }

  @Test
  void theCoordinatorHearsOfACopyWhoseTimeIsOverBeforeItHasCome() {
    start(order(1, 5, 100));
    start(order(2, 5, 10));
    start(order(3, 6, 10).setMillisToDeadline(2000));
    now += Duration.ofSeconds(61).toNanos() + 1;
    prefetches.tick();

    assertThat(states()).containsExactlyInAnyOrder("1 EXPIRED", "2 EXPIRED", "3 COPYING");
    assertThat(prefetches.states())
        .as("a coordinator that does not know this understands the state")
        .extracting(FlowProto::getState)
        .containsExactlyInAnyOrder(State.NO_ROOM, State.NO_ROOM, State.COPYING);
    assertThat(changes).hasValue(2);
    prefetches.told(prefetches.states());
    assertThat(states()).containsExactly("3 COPYING");

    start(order(4, 5, 100));
    assertThat(states()).as("it may begin anew").contains("4 COPYING");
  }

  @Test
  void aTimeThatIsOverWhileAnotherAnswerIsUnderWayIsToldAfterIt() {
    start(order(1, BROKEN, 1));
    await().until(() -> states().equals(List.of("1 DECLINED")));
    List<FlowProto> underWay = prefetches.states();
    now += Duration.ofSeconds(61).toNanos() + 1;
    prefetches.tick();
    prefetches.told(underWay);
    assertThat(states()).containsExactly("1 EXPIRED");

    prefetches.told(prefetches.states());
    assertThat(states()).isEmpty();
  }

  @Test
  void aCopyWhoseReaderComesLaterHasMoreTime() {
    start(order(1, 5, 100));
    start(order(2, 6, 100));
    now += Duration.ofSeconds(60).toNanos();
    pace(1, 100, 10_000);
    pace(2, 50);
    now += Duration.ofSeconds(70).toNanos();
    prefetches.tick();
    assertThat(states()).containsExactlyInAnyOrder("1 COPYING", "2 EXPIRED");

    now += 1;
    prefetches.tick();
    assertThat(states()).containsExactlyInAnyOrder("1 EXPIRED", "2 EXPIRED");
  }

  @Test
  void noReaderTakesTimeFromAnother() {
    start(order(1, 5, 100).setMillisToDeadline(30_000));
    start(order(2, 5, 100));
    pace(2, 100, 2000);
    now += Duration.ofSeconds(90).toNanos();
    prefetches.tick();

    assertThat(states()).containsExactlyInAnyOrder("1 COPYING", "2 COPYING");
  }

  @Test
  void nobodyKeepsACopyInTheRoomOfAnotherForLonger() {
    start(order(1, 5, 100));
    start(order(2, 5, 100).setUser("other").setMillisToDeadline(30_000));
    pace(2, 100, 30_000);
    now += Duration.ofSeconds(61).toNanos() + 1;
    prefetches.tick();
    assertThat(states()).containsExactlyInAnyOrder("1 EXPIRED", "2 EXPIRED");

    start(order(3, 5, 100).setUser("other").setMillisToDeadline(30_000));
    now += Duration.ofSeconds(90).toNanos();
    prefetches.tick();
    assertThat(states()).as("in his own room he does").contains("3 COPYING");
  }

  @Test
  void aDeadlineOutOfReasonIsOne() {
    start(order(1, 5, 1).setMillisToDeadline(Long.MAX_VALUE));
    start(order(2, 6, 1).setMillisToDeadline(-1));
    prefetches.tick();

    assertThat(states()).containsExactlyInAnyOrder("1 COPYING", "2 COPYING");
  }

  @Test
  void anErrorEndsACopy() {
    start(order(1, BROKEN, 1));

    await().until(() -> states().equals(List.of("1 DECLINED")) && room.taken() == 0);
  }

  private List<String> states() {
    return prefetches.states().stream()
        .map(flow -> flow.getFlow() + " " + (flow.getExpired() ? "EXPIRED" : flow.getState()))
        .toList();
  }

  private void start(StartProto.Builder order) {
    prefetches.obey(CommandProto.newBuilder().setNumber(1).setStart(order).build());
  }

  private void pace(long flow, long rate) {
    pace(PaceProto.newBuilder().setFlow(flow).setRate(rate));
  }

  private void pace(long flow, long rate, long millisToDeadline) {
    pace(PaceProto.newBuilder().setFlow(flow).setRate(rate).setMillisToDeadline(millisToDeadline));
  }

  private void pace(PaceProto.Builder order) {
    prefetches.obey(CommandProto.newBuilder().setNumber(1).setPace(order).build());
  }

  private static BlockKey key(long block) {
    return new BlockKey("pool", block, 1);
  }

  private static StartProto.Builder order(long flow, long block, long rate) {
    return Orders.order(flow, key(block), 100).setRate(rate);
  }

  private final class SlowHost extends FakeHost {
    private SlowHost() {
      super(room);
    }

    @Override
    public Optional<Lease> begin(BlockKey block, BlockPieces pieces) throws IOException {
      if (block.id() == BROKEN) {
        throw new OutOfMemoryError("made up");
      }
      try {
        end.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
      return Optional.empty();
    }
  }
}
