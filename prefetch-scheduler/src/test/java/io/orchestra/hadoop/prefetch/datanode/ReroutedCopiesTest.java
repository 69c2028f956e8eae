package io.orchestra.hadoop.prefetch.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A block that comes from one replica, and then from another. */
final class ReroutedCopiesTest {
  private static final BlockKey BLOCK = new BlockKey("pool", 1, 1);
  private static final int PIECE = 256 << 10;
  private static final int LENGTH = 3 * PIECE;
  private static final String STUCK = "stuck";
  private static final String MUTE = "mute";

  private final UserBudget room = new UserBudget(2 * LENGTH, 2 * LENGTH);
  private final PrefetchMetrics metrics = new PrefetchMetrics(room);
  private final List<String> opened = Collections.synchronizedList(new ArrayList<>());
  private final Prefetches prefetches =
      new Prefetches(new TwoSources(), metrics, Duration.ofMinutes(1), System::nanoTime, () -> {});
  private TestBlocks blocks;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    blocks = new TestBlocks(directory.resolve("cache"));
  }

  @AfterEach
  void end() {
    prefetches.close();
    metrics.close();
    blocks.close();
  }

  @Test
  void whatHasComeIsNotFetchedAgain() {
    start(order(1, "user", STUCK));
    await().until(() -> states().equals(List.of("1 COPYING 1")));

    start(order(2, "user", "free").setBefore(1));
    await().until(() -> states().equals(List.of("2 ARRIVED 3")));
    assertThat(opened).containsExactly(STUCK + " from 0", "free from 1");
  }

  @Test
  void whereTheOtherSourceFailsItIsTheOtherFlowThatFails() {
    start(order(1, "user", MUTE));
    await().until(() -> opened.equals(List.of(MUTE + " from 0")));

    start(order(2, "user", "broken").setBefore(1));
    await().until(() -> states().equals(List.of("2 FAILED 0")));
  }

  @Test
  void whatTheOtherSourceDoesNotGiveComesFromTheOneBefore() {
    start(order(1, "user", MUTE));
    await().until(() -> opened.equals(List.of(MUTE + " from 0")));

    start(order(2, "user", "broken").addSources(Orders.source(STUCK)).setBefore(1));
    await().until(() -> states().equals(List.of("2 COPYING 1")));
    assertThat(opened).containsExactly(MUTE + " from 0", STUCK + " from 0");
  }

  /** The coordinator does not know to which of its sources a copy has gone back. */
  @Test
  void orFromTheOneThatHasGivenSomeOfIt() {
    start(order(1, "user", STUCK));
    await().until(() -> states().equals(List.of("1 COPYING 1")));

    start(order(2, "user", "broken").addSources(Orders.source("broken too")).setBefore(1));
    await().until(() -> states().equals(List.of("2 COPYING 2")));
    assertThat(opened).containsExactly(STUCK + " from 0", STUCK + " from 1");
  }

  /** Its map may have gone to HDFS. */
  @Test
  void whatHasFailedMeanwhileIsNotBegunAnew() {
    start(order(1, "user", "broken"));
    await().until(() -> states().equals(List.of("1 FAILED 0")));

    start(order(2, "user", "free").setBefore(1));
    assertThat(prefetches.states())
        .extracting(FlowProto::getFlow, FlowProto::getExpired)
        .containsExactly(tuple(2L, true));
    assertThat(opened).isEmpty();
    assertThat(room.taken()).isZero();
  }

  /** A write of a thread that is interrupted would close the file. */
  @Test
  void theFileOfABlockSurvivesAMoveBetweenTwoPieces() {
    start(order(1, "user", "interrupting"));

    await().until(() -> states().equals(List.of("1 FAILED 0")));
    start(order(2, "user", "free"));
    await().until(() -> states().contains("2 ARRIVED 3"));
  }

  @Test
  void itGoesOnAtTheRateOfTheOtherFlow() {
    start(order(1, "user", STUCK));
    start(order(2, "user", STUCK).setBefore(1).setRate(5));

    assertThat(prefetches.rate(BLOCK)).isEqualTo(5);
  }

  @Test
  void whoHasJoinedAnothersCopyDoesNotMoveIt() {
    start(order(1, "owner", STUCK));
    start(order(2, "other", "free"));
    start(order(3, "other", "free").setBefore(2));

    await().until(() -> states().equals(List.of("1 COPYING 1", "3 COPYING 1")));
    assertThat(opened).containsExactly(STUCK + " from 0");
  }

  @Test
  void whoMayNotReadItMovesNothing() {
    start(order(1, "user", STUCK));
    start(order(2, "other", "free").setBefore(1).setToken(Orders.badToken()));

    await().until(() -> states().equals(List.of("2 FORBIDDEN 0", "1 COPYING 1")));
  }

  @Test
  void whoMightReadItWhenItWasBegunMovesItAlsoWithATokenThatIsTooOld() {
    start(order(1, "user", STUCK));
    start(order(2, "user", "free").setBefore(1).setToken(Orders.badToken()));

    await().until(() -> states().equals(List.of("2 ARRIVED 3")));
  }

  @Test
  void withoutTheFlowBeforeItIsOneLikeAnyOther() {
    start(order(2, "user", "free").setBefore(1));

    await().until(() -> states().equals(List.of("2 ARRIVED 3")));
  }

  private static StartProto.Builder order(long flow, String user, String source) {
    return Orders.order(flow, BLOCK, LENGTH).setUser(user).addSources(Orders.source(source));
  }

  private void start(StartProto.Builder order) {
    prefetches.obey(CommandProto.newBuilder().setNumber(order.getFlow()).setStart(order).build());
  }

  /** Each flow, its state, and how many pieces have come. */
  private List<String> states() {
    return prefetches.states().stream().map(ReroutedCopiesTest::told).toList();
  }

  private static String told(FlowProto flow) {
    return "%d %s %d".formatted(flow.getFlow(), flow.getState(), flow.getBytes() / PIECE);
  }

  private final class TwoSources extends FakeHost {
    private TwoSources() {
      super(room);
    }

    @Override
    Replica replica(SourceProto source) {
      return new Zeros(source.getHost());
    }

    @Override
    public Optional<Lease> begin(BlockKey block, BlockPieces pieces) throws IOException {
      return blocks.begin(block, pieces);
    }
  }

  /** Of which one source gives the first piece and no more, and others nothing. */
  private final class Zeros extends ZeroReplica {
    private final String source;

    private Zeros(String source) {
      this.source = source;
    }

    @Override
    void opened(long position) throws IOException {
      if (source.startsWith("broken")) {
        throw new IOException("made up");
      }
      opened.add("%s from %d".formatted(source, position / PIECE));
    }

    @Override
    void reading(int given) throws IOException {
      if (source.equals(MUTE) || (given == PIECE && source.equals(STUCK))) {
        FakeHost.waitFor(new CountDownLatch(1));
      }
      if (source.equals("interrupting")) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
