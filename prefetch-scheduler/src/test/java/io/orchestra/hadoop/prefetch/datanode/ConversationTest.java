package io.orchestra.hadoop.prefetch.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.Lease;
import io.orchestra.hadoop.core.daemon.UserBudget;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CancelProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.DaemonProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto.State;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PaceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollResponseProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.ShapeProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Responses are lost, repeated and overtaken. On this host everything is refused or waits. */
final class ConversationTest {
  private static final int IMPOSSIBLE = 13;

  private static final DaemonProto SELF =
      DaemonProto.newBuilder().setDatanodeUuid("uuid").setHost("a").setTransferPort(1).build();

  private final UserBudget room = new UserBudget(1000, 1000);
  private final List<BlockKey> begun = new CopyOnWriteArrayList<>();
  private final PrefetchMetrics metrics = new PrefetchMetrics(room);
  private final Prefetches prefetches =
      new Prefetches(new FullHost(), metrics, Duration.ofMinutes(1), System::nanoTime, () -> {});
  private final List<ShapeProto> shapes = new ArrayList<>();
  private final Semaphore news = new Semaphore(0);
  private long now;
  private final Conversation conversation =
      new Conversation(
          prefetches,
          new Conversation.Rates() {
            @Override
            public void set(ShapeProto shape) {
              if (shape.getSlot() == IMPOSSIBLE) {
                throw new OutOfMemoryError("made up");
              }
              shapes.add(shape);
            }

            @Override
            public void forget() {
              shapes.clear();
            }
          },
          news,
          () -> now);

  @AfterEach
  void end() {
    prefetches.close();
    metrics.close();
  }

  @Test
  void eachCommandIsDoneOnceAndInItsTurn() {
    PollProto first = question();
    conversation.answered(first, answer(7, start(1, 1), start(2, 2)));
    assertThat(question().getDone()).isEqualTo(2);

    PollProto lost = question();
    conversation.answered(lost, answer(7, start(1, 1), start(2, 2), start(3, 3)));
    conversation.answered(lost, answer(7, start(1, 1), start(2, 2)));

    assertThat(question().getDone()).isEqualTo(3);
    await().until(() -> begun.size() == 3);
    assertThat(begun).extracting(BlockKey::id).containsExactlyInAnyOrder(1L, 2L, 3L);
  }

  @Test
  void theEndOfAFlowIsToldUntilItHasArrived() {
    conversation.answered(question(), answer(7, start(1, 1)));
    await().until(() -> states().equals(List.of(State.NO_ROOM)));
    assertThat(question().getFlows(0).getFlow()).isEqualTo(1);

    conversation.answered(question(), answer(7));

    assertThat(question().getFlowsList()).isEmpty();
    assertThat(room.taken()).isZero();
  }

  @Test
  void anotherCoordinatorKnowsNoFlowAndBeginsItsNumbersAnew() {
    conversation.answered(question(), answer(7, start(1, 1), start(2, 2)));
    PollProto old = question();
    conversation.answered(question(), answer(8, start(1, 5)));

    assertThat(question().getEpoch()).isEqualTo(8);
    assertThat(question().getDone()).isEqualTo(1);
    assertThat(question().getFlowsList()).extracting(FlowProto::getFlow).containsExactly(1L);

    conversation.answered(old, answer(7, start(3, 3)));
    assertThat(question().getEpoch()).as("what the old one said comes late").isEqualTo(8);
    assertThat(question().getDone()).isEqualTo(1);
  }

  @Test
  void whatConcernsAFlowOfThePastHarmsNobody() {
    conversation.answered(
        question(),
        answer(
            7,
            CommandProto.newBuilder()
                .setNumber(1)
                .setPace(PaceProto.newBuilder().setFlow(99).setRate(1))
                .build(),
            CommandProto.newBuilder()
                .setNumber(2)
                .setCancel(CancelProto.newBuilder().setFlow(99))
                .build(),
            CommandProto.newBuilder().setNumber(3).build()));

    assertThat(question().getDone()).isEqualTo(3);
  }

  private List<State> states() {
    return question().getFlowsList().stream().map(FlowProto::getState).toList();
  }

  private PollProto question() {
    return conversation.question(SELF, false);
  }

  private static PollResponseProto answer(long epoch, CommandProto... commands) {
    return PollResponseProto.newBuilder().setEpoch(epoch).addAllCommands(List.of(commands)).build();
  }

  private static CommandProto start(long number, long block) {
    return CommandProto.newBuilder()
        .setNumber(number)
        .setStart(Orders.order(number, new BlockKey("pool", block, 1), 100))
        .build();
  }

  @Test
  void theCoordinatorSaysHowOftenItWantsToHear() {
    assertThat(conversation.newsPause()).isEqualTo(Duration.ofMillis(500));

    conversation.answered(question(), news(3000));
    assertThat(conversation.newsPause()).isEqualTo(Duration.ofSeconds(3));
    conversation.answered(question(), news(0));
    assertThat(conversation.newsPause()).isEqualTo(Duration.ofMillis(100));
    conversation.answered(question(), news(-1));
    assertThat(conversation.newsPause()).isEqualTo(Duration.ofSeconds(5));

    conversation.answered(question(), answer(7));
    assertThat(conversation.newsPause()).as("an older one").isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void whoWaitsWithNewsIsWokenWhenTheyAreWantedSooner() throws InterruptedException {
    conversation.answered(question(), news(3000));
    assertThat(news.availablePermits()).as("a new coordinator knows nothing yet").isEqualTo(1);
    conversation.awaitNews();

    conversation.answered(question(), news(3000));
    conversation.answered(question(), news(5000));
    assertThat(news.availablePermits()).isZero();

    conversation.answered(question(), news(500));
    conversation.answered(question(), news(200));
    assertThat(news.availablePermits()).isEqualTo(2);
    conversation.awaitNews();
    assertThat(news.availablePermits()).as("all of it is told at once").isZero();
  }

  private static PollResponseProto news(int millis) {
    return answer(7).toBuilder().setMillisToNews(millis).build();
  }

  @Test
  void newsWithoutAChangeIsLeftOutForThreeSeconds() {
    introduce();
    tell(self(1000, 0), noticing(20));

    assertThat(conversation.news(self(1020, 20))).isEmpty();
    assertThat(conversation.news(self(1021, 0))).isPresent();
    assertThat(conversation.news(self(979, 0))).isPresent();
    assertThat(conversation.news(self(1000, 21))).isPresent();
    assertThat(conversation.news(self(1000, 0).toBuilder().setShaped(true).build())).isPresent();
    assertThat(conversation.news(SELF)).as("only a moment ago it was measured").isEmpty();

    now += TimeUnit.MILLISECONDS.toNanos(2500);
    assertThat(conversation.news(self(1000, 0))).isEmpty();
    now += 1;
    assertThat(conversation.news(self(1000, 0))).as("the next time is too late").isPresent();
  }

  @Test
  void aChangeIsToldUntilItHasArrived() {
    introduce();
    tell(self(1000, 0), noticing(20));
    PollProto lost = conversation.news(self(5000, 0)).orElseThrow();
    assertThat(lost.getSelf().getSent()).isEqualTo(5000);
    assertThat(conversation.news(self(1000, 0))).as("that is what is known").isEmpty();

    PollProto onItsWay = conversation.news(self(5000, 0)).orElseThrow();
    conversation.answered(onItsWay, noticing(20));
    assertThat(conversation.news(self(5000, 0))).isEmpty();
    assertThat(conversation.news(self(1000, 0))).as("meanwhile it has changed").isPresent();
  }

  @Test
  void whoDoesNotSayWhatMattersHearsAllNews() {
    introduce();
    tell(self(1000, 0), news(500));
    assertThat(conversation.news(self(1000, 0))).as("an older one").isPresent();

    tell(self(1000, 0), noticing(20));
    assertThat(conversation.news(self(1000, 0))).isEmpty();
    conversation.answered(question(), news(500));
    assertThat(conversation.news(self(1000, 0))).as("nothing of the link was told").isEmpty();
    tell(self(5000, 0), news(500));
    assertThat(conversation.news(self(5000, 0))).isPresent();
  }

  @Test
  void howCopiesGoIsToldWhateverPassesTheLink() {
    introduce();
    tell(self(1000, 0), noticing(20));
    conversation.answered(question(), answer(7, start(1, 1)));
    await().until(() -> states().equals(List.of(State.NO_ROOM)));

    assertThat(conversation.news(self(1000, 0)).orElseThrow().getFlowsCount()).isEqualTo(1);
    tell(self(1000, 0), noticing(20));
    assertThat(conversation.news(self(1000, 0))).isEmpty();
  }

  @Test
  void anotherCoordinatorHasHeardNothing() {
    introduce();
    tell(self(1000, 0), noticing(20));
    PollProto old = conversation.news(self(5000, 0)).orElseThrow();
    conversation.answered(question(), answer(8));
    conversation.answered(old, answer(8).toBuilder().setNoticeable(20).build());

    assertThat(conversation.news(self(5000, 0))).isPresent();
  }

  private void introduce() {
    conversation.answered(question(), news(500));
  }

  private void tell(DaemonProto self, PollResponseProto answer) {
    conversation.answered(conversation.news(self).orElseThrow(), answer);
  }

  private static DaemonProto self(long sent, long received) {
    return SELF.toBuilder().setSent(sent).setReceived(received).setMillisMeasured(500).build();
  }

  private static PollResponseProto noticing(long rate) {
    return news(500).toBuilder().setNoticeable(rate).build();
  }

  @Test
  void ratesForWhatThisHostSendsArePassedOnOnce() {
    ShapeProto shape =
        ShapeProto.newBuilder()
            .setSlot(1)
            .setBitsPerSecond(8)
            .setAddress("10.0.0.1")
            .setPort(42000)
            .build();
    CommandProto command = CommandProto.newBuilder().setNumber(1).setShape(shape).build();
    PollProto question = question();
    conversation.answered(question, answer(7, command));
    conversation.answered(question, answer(7, command));

    assertThat(shapes).containsExactly(shape);
    assertThat(question().getDone()).isEqualTo(1);

    conversation.answered(question(), answer(8));
    assertThat(shapes).as("another coordinator has set none").isEmpty();
  }

  @Test
  void whatCannotBeDoneHoldsUpNothingAfterIt() {
    CommandProto impossible =
        CommandProto.newBuilder()
            .setNumber(1)
            .setShape(
                ShapeProto.newBuilder()
                    .setSlot(IMPOSSIBLE)
                    .setBitsPerSecond(8)
                    .setAddress("10.0.0.1")
                    .setPort(42000))
            .build();
    conversation.answered(question(), answer(7, impossible, start(2, 2)));

    assertThat(question().getDone()).isEqualTo(2);
    await().until(() -> begun.size() == 1);
  }

  @Test
  void ratesEndWhenTheCoordinatorSaysSo() {
    ShapeProto shape =
        ShapeProto.newBuilder()
            .setSlot(1)
            .setBitsPerSecond(8)
            .setAddress("10.0.0.1")
            .setPort(42000)
            .build();
    conversation.answered(
        question(), answer(7, CommandProto.newBuilder().setNumber(1).setShape(shape).build()));
    assertThat(shapes).hasSize(1);
    conversation.answered(
        question(),
        answer(7, CommandProto.newBuilder().setNumber(2).setForgetShapes(true).build()));

    assertThat(shapes).isEmpty();
    assertThat(question().getDone()).isEqualTo(2);
  }

  private final class FullHost extends FakeHost {
    private FullHost() {
      super(room);
    }

    @Override
    public Optional<Lease> begin(BlockKey block, BlockPieces pieces) {
      begun.add(block);
      return Optional.empty();
    }
  }
}
