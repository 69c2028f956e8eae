package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.prefetch.resourcemanager.Daemons.Daemon;
import io.orchestra.hadoop.prefetch.rpc.DaemonProtocol.Caller;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CancelProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.DaemonProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PaceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollResponseProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.ShapeProto;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DaemonsTest {
  private static final long EPOCH = 7;

  private final Caller caller = new Caller("dn", InetAddress.getLoopbackAddress());
  private final List<String> told = new ArrayList<>();
  private final List<Daemons.Load> loads = new ArrayList<>();
  private final List<PollResponseProto> later = new CopyOnWriteArrayList<>();
  private final List<String> lookedUp = new ArrayList<>();
  private long now = 1_000_000_000;
  private final Daemons daemons =
      new Daemons(
          (who, host) -> {
            if (host.equals("stranger")) {
              throw new IOException("not you");
            }
          },
          this::rack,
          () -> now,
          EPOCH);

  private final Daemons.Listener listener =
      new Daemons.Listener() {
        @Override
        public void told(Daemon daemon, Optional<Daemons.Load> load, List<FlowProto> flows) {
          load.ifPresent(loads::add);
          flows.forEach(flow -> told.add(daemon.host() + " " + flow.getFlow()));
        }

        @Override
        public long noticeable(Daemons.Load load) {
          return load.sent() / 50;
        }

        @Override
        public void lost(Daemon daemon) {
          told.add("lost " + daemon.host());
        }
      };

  private String rack(String host) {
    lookedUp.add(host);
    return host.equals("lost") ? NetworkTopology.DEFAULT_RACK : "/rack of " + host;
  }

  @BeforeEach
  void start() {
    daemons.hear(listener);
  }

  @AfterEach
  void end() {
    daemons.close();
  }

  @Test
  void aDaemonIsKnownFromItsFirstPollOnWhichIsAnsweredAtOnce() throws IOException {
    assertThat(poll("1", "a", 0, 0, true))
        .hasValueSatisfying(
            answer -> {
              assertThat(answer.getEpoch()).isEqualTo(EPOCH);
              assertThat(answer.getCommandsList()).isEmpty();
            });

    assertThat(daemons.at("a")).contains(new Daemon("1", "a", "127.0.0.1", 9866, "/rack of a"));
    assertThat(daemons.of("1")).isEqualTo(daemons.at("a"));
    assertThat(told).isEmpty();
  }

  /** Hadoop says so, too, where it could not find out. */
  @Test
  void whoIsInTheDefaultRackIsLookedUpAgainButNotAtEachPoll() throws IOException {
    introduce("1", "lost");
    poll("1", "lost", EPOCH, 0, true);
    assertThat(lookedUp).containsExactly("lost");

    now += Duration.ofMinutes(1).toNanos();
    poll("1", "lost", EPOCH, 0, true);
    poll("1", "lost", EPOCH, 0, true);

    assertThat(lookedUp).containsExactly("lost", "lost");
  }

  /** That may start a program, and polls come twice a second. */
  @Test
  void theRackOfADaemonIsLookedUpOnce() throws IOException {
    introduce("1", "a");
    poll("1", "a", EPOCH, 0, true);
    introduce("2", "b");

    assertThat(lookedUp).containsExactly("a", "b");
  }

  @Test
  void whoWaitsHearsOfACommandAtOnceAndOfAllThatAreNotKnownToBeDone() throws IOException {
    introduce("1", "a");
    assertThat(poll("1", "a", EPOCH, 0, true)).isEmpty();
    assertThat(daemons.send("1", command(5))).isTrue();
    assertThat(later).hasSize(1);
    assertThat(numbers(later.get(0))).containsExactly(1L);

    daemons.send("1", command(6));
    assertThat(poll("1", "a", EPOCH, 0, true))
        .hasValueSatisfying(answer -> assertThat(numbers(answer)).containsExactly(1L, 2L));
    assertThat(poll("1", "a", EPOCH, 1, false))
        .hasValueSatisfying(answer -> assertThat(numbers(answer)).containsExactly(2L));
    assertThat(poll("1", "a", EPOCH, 2, false))
        .hasValueSatisfying(answer -> assertThat(numbers(answer)).isEmpty());
  }

  @Test
  void aPollIsNotHeldForEverAndANewerOneReleasesIt() throws IOException {
    introduce("1", "a");
    poll("1", "a", EPOCH, 0, true);
    poll("1", "a", EPOCH, 0, true);
    await().until(() -> later.size() == 1);

    daemons.tick();
    assertThat(later).hasSize(1);
    now += Duration.ofSeconds(6).toNanos();
    daemons.tick();
    assertThat(later).hasSize(2);
    assertThat(numbers(later.get(1))).isEmpty();
  }

  @Test
  void itLooksAfterDaemonsByItself() throws IOException {
    introduce("1", "a");
    poll("1", "a", EPOCH, 0, true);
    now += Duration.ofSeconds(6).toNanos();
    daemons.start(listener);

    await().until(() -> later.size() == 1);
  }

  @Test
  void whoIsSilentForLongIsGone() throws IOException {
    introduce("1", "a");
    introduce("2", "b");
    now += Duration.ofSeconds(10).toNanos();
    poll("2", "b", EPOCH, 0, false);
    now += Duration.ofSeconds(10).toNanos();
    daemons.tick();

    assertThat(told).containsExactly("lost a");
    assertThat(daemons.all()).extracting(Daemon::host).containsExactly("b");
    assertThat(daemons.send("1", command(1))).isFalse();
  }

  @Test
  void whoStartsAnewHasForgottenItsFlowsAndOldCommandsAreNotForIt() throws IOException {
    introduce("1", "a");
    daemons.send("1", command(5));
    introduce("1", "a");

    assertThat(told).containsExactly("lost a");
    assertThat(poll("1", "a", EPOCH, 0, false))
        .hasValueSatisfying(answer -> assertThat(answer.getCommandsList()).isEmpty());
  }

  @Test
  void whoWasSilentForLongAndComesBackObeysNewCommands() throws IOException {
    introduce("1", "a");
    for (int flow = 1; flow <= 3; flow++) {
      daemons.send("1", command(flow));
    }
    poll("1", "a", EPOCH, 3, false);
    now += Duration.ofSeconds(20).toNanos();
    daemons.tick();
    // It has heard of no other coordinator: it has done three commands of this one.
    poll("1", "a", EPOCH, 3, false);
    assertThat(daemons.send("1", command(4))).isTrue();

    assertThat(poll("1", "a", EPOCH, 3, false))
        .hasValueSatisfying(
            answer -> assertThat(numbers(answer)).singleElement().matches(number -> number > 3));
  }

  @Test
  void aNameBelongsToTheHostItCameFromAsLongAsThatPolls() throws IOException {
    introduce("1", "a");
    assertThatThrownBy(() -> introduce("1", "b"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has the name of");
    assertThat(daemons.of("1")).map(Daemon::host).contains("a");

    now += Duration.ofSeconds(20).toNanos();
    daemons.tick();
    introduce("1", "b");
    assertThat(daemons.of("1")).map(Daemon::host).contains("b");
  }

  /** They would be in what is logged of it. */
  @ParameterizedTest
  @ValueSource(strings = {"", "a\n2030-01-01 INFO all is well", "a\u2028b"})
  void whatIsNoNameIsRefusedAndNotRepeated(String name) {
    assertThatThrownBy(() -> introduce(name, "a"))
        .isInstanceOf(IOException.class)
        .hasMessage("a daemon without a name");
    assertThatThrownBy(() -> introduce("1", name)).hasMessage("a daemon without a name");
  }

  @Test
  void oneHostTakesNotAllPlaces() throws IOException {
    for (int datanode = 0; datanode < DaemonTable.MOST_OF_HOST; datanode++) {
      introduce("a" + datanode, "a");
    }
    assertThatThrownBy(() -> introduce("one more", "a")).isInstanceOf(IOException.class);
    introduce("a0", "a");
    introduce("b", "b");

    assertThat(daemons.all()).extracting(Daemon::host).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void ofTwoDataNodesOfAHostTheOneThatStaysIsKnown() throws IOException {
    introduce("1", "a");
    now += Duration.ofSeconds(1).toNanos();
    introduce("2", "a");
    assertThat(daemons.at("a")).map(Daemon::uuid).contains("2");
    now += Duration.ofSeconds(10).toNanos();
    poll("1", "a", EPOCH, 0, false);
    now += Duration.ofSeconds(10).toNanos();
    daemons.tick();

    assertThat(daemons.at("a")).map(Daemon::uuid).contains("1");
  }

  @Test
  void numbersThatCannotBeAreNotBelieved() throws IOException {
    PollProto.Builder absurd = question("1", "a", 0, 0, false);
    absurd.getSelfBuilder().setLinkCapacity(Long.MAX_VALUE).setSent(-1).setReceived(Long.MAX_VALUE);
    daemons.poll(caller, absurd.build(), () -> later::add);
    assertThat(daemons.load("a").capacity()).isEmpty();
    assertThat(daemons.load("a").sent()).isNotNegative();
    assertThat(Math.multiplyExact(daemons.load("a").received(), 1 << 20)).isPositive();

    OptionalLong some = OptionalLong.of(9);
    assertThat(new Daemons.Load(some, 5, 3, some).within(4))
        .isEqualTo(new Daemons.Load(some, 4, 3, some));

    for (int millis : new int[] {-1, Integer.MAX_VALUE}) {
      absurd.getSelfBuilder().setMillisMeasured(millis);
      daemons.poll(caller, absurd.build(), () -> later::add);
    }
    assertThat(loads)
        .extracting(Daemons.Load::nanos)
        .containsExactly(OptionalLong.empty(), OptionalLong.of(0), OptionalLong.of(5_000_000_000L));

    absurd.getSelfBuilder().setTransferPort(70_000);
    assertThatThrownBy(() -> daemons.poll(caller, absurd.build(), () -> later::add))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aLinkOfAnotherCapacityMakesAnotherNetwork() throws IOException {
    PollProto.Builder poll = question("1", "a", 0, 0, false);
    poll.getSelfBuilder().setLinkCapacity(1000).setSent(1).setReceived(1);
    daemons.poll(caller, poll.build(), () -> later::add);
    long version = daemons.version();
    poll.setEpoch(EPOCH).getSelfBuilder().setSent(2);
    daemons.poll(caller, poll.build(), () -> later::add);
    assertThat(daemons.version()).isEqualTo(version);

    poll.getSelfBuilder().setLinkCapacity(2000);
    daemons.poll(caller, poll.build(), () -> later::add);
    assertThat(daemons.version()).isNotEqualTo(version);
    assertThat(daemons.load("a").capacity()).hasValue(2000);
  }

  @Test
  void whoTellsOfItsLinkHearsWhatChangeOfItMatters() throws IOException {
    introduce("1", "a");
    assertThat(poll("1", "a", EPOCH, 0, false).orElseThrow().hasNoticeable()).isFalse();
    PollProto.Builder poll = question("1", "a", EPOCH, 0, false);
    poll.getSelfBuilder().setSent(1000).setReceived(0).setMillisMeasured(500);
    daemons.send("1", command(5));

    assertThat(daemons.poll(caller, poll.build(), () -> later::add))
        .hasValueSatisfying(answer -> assertThat(numbers(answer)).containsExactly(1L))
        .hasValueSatisfying(answer -> assertThat(answer.getNoticeable()).isEqualTo(20));
  }

  /** Or it would be heard of again only when it changes. */
  @Test
  void theLinkOfWhoIsNewIsHeardOfAtOnceButNoFlows() throws IOException {
    PollProto.Builder poll = question("1", "a", EPOCH - 1, 0, false);
    poll.addFlows(FlowProto.newBuilder().setFlow(3).setState(FlowProto.State.COPYING).setBytes(1));
    poll.getSelfBuilder().setSent(1000).setReceived(0);
    daemons.poll(caller, poll.build(), () -> later::add);

    assertThat(loads).extracting(Daemons.Load::sent).containsExactly(1000L);
    assertThat(told).isEmpty();
  }

  @Test
  void whatIsToBeDoneAfterAWhileKeepsNothingElseFromIt() {
    List<String> done = new CopyOnWriteArrayList<>();
    daemons.after(
        0,
        () -> {
          throw new IllegalStateException("made up");
        });
    daemons.after(1, () -> done.add("soon"));
    await().until(() -> done.contains("soon"));

    daemons.close();
    daemons.after(0, () -> done.add("too late"));
    assertThat(done).containsExactly("soon");
  }

  @Test
  void flowsOfWhoKnowsThisCoordinatorAreToldOn() throws IOException {
    introduce("1", "a");
    PollProto.Builder poll = question("1", "a", EPOCH, 0, false);
    poll.addFlows(FlowProto.newBuilder().setFlow(3).setState(FlowProto.State.COPYING).setBytes(1));
    daemons.poll(caller, poll.build(), () -> later::add);
    daemons.poll(caller, poll.setEpoch(EPOCH - 1).build(), () -> later::add);

    assertThat(told).containsExactly("a 3", "lost a");
  }

  @Test
  void whoIsNotWhoItSaysIsRefused() {
    assertThatThrownBy(() -> poll("1", "stranger", 0, 0, true)).hasMessage("not you");
    assertThatThrownBy(() -> poll("x".repeat(300), "a", 0, 0, true))
        .isInstanceOf(IOException.class);
    assertThat(daemons.all()).isEmpty();
  }

  @Test
  void whoDoesNothingIsNotToldMoreAndMore() throws IOException {
    introduce("1", "a");
    int sent = 0;
    while (sent < 10_000 && daemons.send("1", command(sent))) {
      sent++;
    }

    assertThat(sent).isEqualTo(256);
  }

  @Test
  void ofThePacesOfAFlowTheNewestIsTold() throws IOException {
    introduce("1", "a");
    daemons.send("1", pace(5, 100));
    daemons.send("1", pace(6, 100));
    daemons.send("1", command(7));
    daemons.send("1", pace(5, 50));

    assertThat(poll("1", "a", EPOCH, 0, false))
        .hasValueSatisfying(
            answer -> {
              assertThat(numbers(answer)).containsExactly(2L, 3L, 4L);
              assertThat(answer.getCommands(0).getPace().getFlow()).isEqualTo(6);
              assertThat(answer.getCommands(1).getCancel().getFlow()).isEqualTo(7);
              assertThat(answer.getCommands(2).getPace().getFlow()).isEqualTo(5);
              assertThat(answer.getCommands(2).getPace().getRate()).isEqualTo(50);
            });
  }

  @Test
  void ofTheShapesOfASlotTheNewestIsTold() throws IOException {
    introduce("1", "a");
    daemons.send("1", shape(1, 100));
    daemons.send("1", shape(2, 100));
    daemons.send("1", shape(1, 50));

    assertThat(poll("1", "a", EPOCH, 0, false))
        .hasValueSatisfying(
            answer ->
                assertThat(answer.getCommandsList())
                    .extracting(
                        command -> command.getShape().getSlot(),
                        command -> command.getShape().getBitsPerSecond())
                    .containsExactly(tuple(2, 100L), tuple(1, 50L)));
  }

  @Test
  void whetherAHostsDeviceKeepsRatesItsDaemonSays() throws IOException {
    introduce("1", "a");
    assertThat(daemons.isShaped("a")).isFalse();
    PollProto.Builder poll = question("1", "a", EPOCH, 0, false);
    poll.getSelfBuilder().setShaped(true);
    daemons.poll(caller, poll.build(), () -> later::add);
    poll("1", "a", EPOCH, 0, false);
    assertThat(daemons.isShaped("a")).as("not each poll says so").isTrue();

    poll.getSelfBuilder().setShaped(false);
    daemons.poll(caller, poll.build(), () -> later::add);
    assertThat(daemons.isShaped("a")).isFalse();
    assertThat(daemons.isShaped("nowhere")).isFalse();
  }

  @Test
  void whoWasToldOfAPaceAndHasNotSaidSoHearsOfTheNewerOneToo() throws IOException {
    introduce("1", "a");
    poll("1", "a", EPOCH, 0, true);
    daemons.send("1", pace(5, 100));
    daemons.send("1", pace(5, 50));
    assertThat(later.get(0).getCommandsList())
        .extracting(command -> command.getPace().getRate())
        .containsExactly(100L);

    assertThat(poll("1", "a", EPOCH, 1, false))
        .hasValueSatisfying(
            answer ->
                assertThat(answer.getCommandsList())
                    .extracting(command -> command.getPace().getRate())
                    .containsExactly(50L));
  }

  @Test
  void whoDoesNothingIsStillToldOfANewPaceInPlaceOfAnOlderOne() throws IOException {
    introduce("1", "a");
    daemons.send("1", pace(5, 100));
    while (daemons.send("1", command(7))) {
      // Until it is told no more.
    }

    assertThat(daemons.send("1", pace(6, 50))).isFalse();
    assertThat(daemons.send("1", pace(5, 50))).isTrue();
    assertThat(poll("1", "a", EPOCH, 0, false))
        .hasValueSatisfying(
            answer ->
                assertThat(answer.getCommandsList())
                    .filteredOn(CommandProto::hasPace)
                    .extracting(command -> command.getPace().getRate())
                    .containsExactly(50L));
  }

  /** Two reports a second of thousands of hosts would be a burden to the ResourceManager. */
  @Test
  void linksAreOfInterestOnlyWhileBlocksAreBroughtAndOfManyLessOften() throws IOException {
    introduce("1", "a");
    assertThat(millisToNews()).isEqualTo(3000);
    assertThat(daemons.newsPause()).isEqualTo(Duration.ofSeconds(3).toNanos());
    daemons.busy();
    assertThat(millisToNews()).isEqualTo(500);
    now += Duration.ofSeconds(9).toNanos();
    assertThat(millisToNews()).isEqualTo(500);
    now += Duration.ofSeconds(1).toNanos();
    assertThat(millisToNews()).isEqualTo(3000);

    for (int host = 0; host < 699; host++) {
      introduce("many" + host, "many" + host);
    }
    daemons.busy();
    assertThat(millisToNews()).isEqualTo(700);
    assertThat(daemons.newsPause()).isEqualTo(Duration.ofMillis(700).toNanos());
    for (int host = 0; host < 700; host++) {
      introduce("more" + host, "more" + host);
    }
    assertThat(millisToNews()).as("what is older is of no use").isEqualTo(1000);
  }

  @Test
  void whoWaitsHearsThatLinksAreOfInterestNow() throws IOException {
    introduce("1", "a");
    introduce("2", "b");
    assertThat(poll("1", "a", EPOCH, 0, true)).isEmpty();
    daemons.busy();
    await().until(() -> later.size() == 1);
    assertThat(later.get(0).getMillisToNews()).isEqualTo(500);

    assertThat(poll("1", "a", EPOCH, 0, true)).isEmpty();
    now += Duration.ofSeconds(5).toNanos();
    daemons.busy();
    assertThat(poll("1", "a", EPOCH, 0, true)).as("of two polls the older is answered").isEmpty();
    await().until(() -> later.size() == 2);
  }

  private int millisToNews() throws IOException {
    return poll("1", "a", EPOCH, 0, false).orElseThrow().getMillisToNews();
  }

  @Test
  void whoeverIsHeldIsReleasedAtTheEnd() throws IOException {
    introduce("1", "a");
    poll("1", "a", EPOCH, 0, true);
    daemons.close();

    assertThat(later).hasSize(1);
    assertThatThrownBy(() -> introduce("1", "a")).isInstanceOf(IOException.class);
  }

  @Test
  void oneThatCannotBeAnsweredKeepsNoOtherFromItsAnswer() throws IOException {
    introduce("1", "a");
    introduce("2", "b");
    pollUnanswerably("1", "a");
    poll("2", "b", EPOCH, 0, true);
    now += Duration.ofSeconds(6).toNanos();
    daemons.tick();
    await().until(() -> later.size() == 1);

    pollUnanswerably("1", "a");
    poll("2", "b", EPOCH, 0, true);
    daemons.busy();
    await().until(() -> later.size() == 2);

    pollUnanswerably("1", "a");
    assertThat(daemons.send("1", command(5))).isTrue();
    assertThat(poll("1", "a", EPOCH, 0, false))
        .hasValueSatisfying(answer -> assertThat(numbers(answer)).containsExactly(1L));
    poll("1", "a", EPOCH, 1, false);

    pollUnanswerably("1", "a");
    poll("2", "b", EPOCH, 0, true);
    daemons.close();
    assertThat(later).hasSize(3);
  }

  @Test
  void oneThatCannotBeAnsweredIsLostAsOthersAre() throws IOException {
    introduce("1", "a");
    introduce("2", "b");
    pollUnanswerably("1", "a");
    introduce("1", "a");
    assertThat(told).containsExactly("lost a");

    pollUnanswerably("1", "a");
    poll("2", "b", EPOCH, 0, true);
    now += Duration.ofSeconds(20).toNanos();
    daemons.tick();
    await().until(() -> later.size() == 1 && told.size() == 3);
    assertThat(told).containsExactlyInAnyOrder("lost a", "lost a", "lost b");
  }

  private void pollUnanswerably(String uuid, String host) throws IOException {
    PollProto question = question(uuid, host, EPOCH, 0, true).build();
    assertThat(
            daemons.poll(
                caller,
                question,
                () ->
                    unused -> {
                      throw new IllegalStateException("made up");
                    }))
        .isEmpty();
  }

  private void introduce(String uuid, String host) throws IOException {
    assertThat(poll(uuid, host, 0, 0, true)).isPresent();
  }

  private Optional<PollResponseProto> poll(
      String uuid, String host, long epoch, long done, boolean hold) throws IOException {
    return daemons.poll(caller, question(uuid, host, epoch, done, hold).build(), () -> later::add);
  }

  private static PollProto.Builder question(
      String uuid, String host, long epoch, long done, boolean hold) {
    return PollProto.newBuilder()
        .setSelf(DaemonProto.newBuilder().setDatanodeUuid(uuid).setHost(host).setTransferPort(9866))
        .setEpoch(epoch)
        .setDone(done)
        .setHold(hold);
  }

  private static CommandProto.Builder command(long flow) {
    return CommandProto.newBuilder().setCancel(CancelProto.newBuilder().setFlow(flow));
  }

  private static CommandProto.Builder shape(int slot, long bits) {
    return CommandProto.newBuilder()
        .setShape(
            ShapeProto.newBuilder()
                .setSlot(slot)
                .setBitsPerSecond(bits)
                .setAddress("10.0.0.1")
                .setPort(42000));
  }

  private static CommandProto.Builder pace(long flow, long rate) {
    return CommandProto.newBuilder().setPace(PaceProto.newBuilder().setFlow(flow).setRate(rate));
  }

  private static List<Long> numbers(PollResponseProto answer) {
    return answer.getCommandsList().stream().map(CommandProto::getNumber).toList();
  }
}
