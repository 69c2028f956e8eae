package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import io.orchestra.hadoop.prefetch.algorithm.flow.Cardinal.Mode;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchFlow;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Outcome;
import io.orchestra.hadoop.prefetch.algorithm.flow.RateDriver;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Locality;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Prediction;
import io.orchestra.hadoop.prefetch.resourcemanager.LaunchScore.Score;
import io.orchestra.hadoop.prefetch.resourcemanager.Prefetching.Assignment;
import io.orchestra.hadoop.prefetch.resourcemanager.Speculation.Foresight;
import io.orchestra.hadoop.prefetch.rpc.DaemonProtocol.Caller;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.InputBlockProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.TaskInputProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.DaemonProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto.State;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PaceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.SourceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.StartProto;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From predictions to commands, with daemons that poll by hand. */
final class PrefetchingTest {
  private static final long SECOND = 1_000_000_000;
  private static final long EPOCH = 7;
  private static final ApplicationId ID = ApplicationId.newInstance(1, 1);
  private static final String JOB = ID.toString();
  private static final String MAP = MapNames.attempt(ID, 0, 0);
  private static final long LENGTH = 1000;

  /** How hosts of another rack begin. */
  private static final String FAR = "far";

  private long now = 100 * SECOND;
  private final TaskInputs inputs = new TaskInputs(() -> now);
  private final Map<String, Long> done = new HashMap<>();
  private final Map<String, Long> sent = new HashMap<>();
  private final Daemons daemons =
      new Daemons(
          (caller, host) -> {}, host -> host.startsWith(FAR) ? "/far" : "/rack", () -> now, EPOCH);
  private double yieldShare = 1;
  private double steadiness;
  private Optional<Long> rackCapacity = Optional.empty();
  private RateDriver driver = RateDriver.PACING;
  private Prefetching prefetching = prefetching(false, Mode.IMPROVED);

  private Prefetching prefetching(boolean confirmed, Mode mode) {
    PrefetchConfig.Fetching config =
        new PrefetchConfig.Fetching(
            true,
            confirmed,
            mode,
            steadiness,
            0.25,
            Duration.ofSeconds(1),
            0.5,
            1,
            yieldShare,
            Optional.of(1000L),
            rackCapacity);
    return new Prefetching(config, inputs, daemons, () -> now, driver);
  }

  @BeforeEach
  void start() throws IOException {
    listen(prefetching);
    for (String host : List.of("a", "b", "c")) {
      poll(host);
    }
  }

  private void listen(Prefetching hearing) {
    prefetching = hearing;
    daemons.hear(hearing);
  }

  @AfterEach
  void end() {
    daemons.close();
  }

  @Test
  void whatAMapWillReadIsAskedForAndThenBrought() throws IOException {
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    assertThat(inputs.takeWanted(JOB)).containsExactly(0);
    assertThat(poll("a")).isEmpty();

    told(0, "b");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));

    StartProto start = poll("a").get(0).getStart();
    assertThat(start.getBlock().getId()).isEqualTo(100);
    assertThat(start.getUser()).isEqualTo("user");
    assertThat(start.getSourcesList())
        .extracting(SourceProto::getHost, SourceProto::getAddress)
        .containsExactly(tuple("b", "127.0.0.1"));
    assertThat(start.getRate()).as("it may come a second after the launch").isEqualTo(100);
    assertThat(prefetching.isPacing()).isTrue();
    assertThat(start.getMillisToDeadline()).isEqualTo(10_000);
    assertThat(poll("b")).isEmpty();
  }

  @Test
  void daemonsTellOftenWhileBlocksAreBroughtOrShouldBe() throws IOException {
    foretell();
    assertThat(millisToNews()).isEqualTo(3000);

    long flow = started("a").getFlow();
    assertThat(millisToNews()).isEqualTo(500);

    launched(MAP, "a", false);
    pass(9);
    foretell();
    pass(9);
    assertThat(millisToNews()).as("its map reads it").isEqualTo(500);
    tell("a", flow, State.ARRIVED, LENGTH);
    foretell();
    pass(1);
    assertThat(millisToNews()).isEqualTo(3000);
  }

  private int millisToNews() throws IOException {
    return daemons
        .poll(
            caller(),
            question("a").build(),
            () -> {
              throw new AssertionError("it is answered at once");
            })
        .orElseThrow()
        .getMillisToNews();
  }

  @Test
  void nothingIsBroughtToWhereItIsOrWhereNobodyListensOrFromNowhere() throws IOException {
    told(0, "b");
    told(1, "nobody");
    foretell(
        launch(MAP, "b", Locality.RACK_LOCAL, 9),
        launch(MapNames.attempt(ID, 1, 0), "a", Locality.OFF_SWITCH, 9),
        launch("reduce 1", "a", Locality.OFF_SWITCH, 9));
    foretell(launch(MAP, "elsewhere", Locality.OFF_SWITCH, 9));
    foretell(launch(MAP, "a", Locality.NODE_LOCAL, 9));

    assertThat(poll("a")).isEmpty();
    assertThat(prefetching.flows()).isEmpty();
  }

  @Test
  void whatHasArrivedIsCountedWhenItsMapIsLaunchedThere() throws IOException {
    StartProto start = started("a");
    tell("a", start.getFlow(), State.ARRIVED, LENGTH);
    assertThat(prefetching.flows()).isEmpty();

    launched(MAP, "a", false);
    foretell();
    assertThat(prefetching.score()).as("it does not read yet").isEqualTo(new Score(0, 0, 0, 0));
    now += SECOND;
    foretell();

    assertThat(prefetching.score()).isEqualTo(new Score(0, 1, 0, 0));
    assertThat(prefetching.scores()).containsOnlyKeys(JOB);
  }

  @Test
  void aMapOfWhoseBlocksOneWasNotBroughtIsReadyInPart() throws IOException {
    TaskInputProto input =
        input(0, 100, "b").toBuilder()
            .addBlocks(input(0, 101, "nobody").getBlocks(0))
            .addBlocks(input(0, 102, "a").getBlocks(0))
            .build();
    inputs.learn(JOB, List.of(input));
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    StartProto start = poll("a").get(0).getStart();
    tell("a", start.getFlow(), State.ARRIVED, LENGTH);
    launched(MAP, "a", false);
    now += SECOND;
    foretell();

    assertThat(prefetching.score()).isEqualTo(new Score(0, 0, 1, 0));
  }

  @Test
  void whatIsOnItsWayAtTheLaunchCountsInPart() throws IOException {
    StartProto start = started("a");
    tell("a", start.getFlow(), State.COPYING, 10);
    launched(MAP, "a", false);
    launched(MapNames.attempt(ID, 1, 0), "a", false);
    launched(MapNames.attempt(ID, 2, 0), "a", true);
    now += SECOND;
    foretell();

    assertThat(prefetching.score()).isEqualTo(new Score(1, 0, 1, 1));
    assertThat(poll("a"))
        .as("it goes on, and as fast as it can")
        .singleElement()
        .satisfies(command -> assertThat(command.getPace().getFlow()).isEqualTo(start.getFlow()))
        .satisfies(command -> assertThat(command.getPace().getRate()).isZero());
  }

  @Test
  void aBlockMayStillComeWhileItsMapReads() throws IOException {
    told(0, "b");
    Map<String, JobState> slow = Map.of(JOB, new JobState("user", 3, 5 * SECOND));
    foretell(slow, launch(MAP, "a", Locality.RACK_LOCAL, 7));
    StartProto start = poll("a").get(0).getStart();
    assertThat(start.getMillisToDeadline()).isEqualTo(10_000);
    assertThat(start.getRate()).isEqualTo(100);

    launched(MAP, "a", false);
    now += 3 * SECOND - 1;
    foretell(slow);
    assertThat(prefetching.score()).isEqualTo(new Score(0, 0, 0, 0));
    tell("a", start.getFlow(), State.ARRIVED, LENGTH);
    now += 1;
    foretell(slow);
    assertThat(prefetching.score()).isEqualTo(new Score(0, 1, 0, 0));
  }

  @Test
  void whateverMapsAreSaidToTakeNoBlockIsWaitedForForHours() throws IOException {
    told(0, "b");
    long week = 7 * 24 * 3600 * SECOND;
    foretell(Map.of(JOB, new JobState("user", 3, week)), launch(MAP, "a", Locality.RACK_LOCAL, 9));

    assertThat(poll("a").get(0).getStart().getMillisToDeadline()).isEqualTo(310_000);
  }

  @Test
  void aHostThatIsGoneWhenAPlanIsMadeHarmsNobodysPlan() throws IOException {
    nobodyTellsOfThoseWhoAreLost();
    started("a");
    now += 16 * SECOND;
    poll("a");
    poll("c");
    daemons.tick();
    told(1, "c");
    foretell(
        launch(MAP, "a", Locality.RACK_LOCAL, 9),
        launch(MapNames.attempt(ID, 1, 0), "a", Locality.RACK_LOCAL, 9));

    assertThat(prefetching.flows())
        .extracting(flow -> flow.flow().source())
        .as("the other replica is gone")
        .containsExactly("c");
  }

  @Test
  void aCopyWhoseSourceIsLostEndsBeforeAnotherBegins() throws IOException {
    long flow = started("a").getFlow();
    now += 16 * SECOND;
    poll("a");
    poll("c");
    daemons.tick();
    told(0, "c");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));

    List<CommandProto> commands = poll("a");
    assertThat(commands.get(0).getCancel().getFlow()).isEqualTo(flow);
    assertThat(commands.get(1).getStart().getSourcesList())
        .extracting(SourceProto::getHost)
        .containsExactly("c");
  }

  @Test
  void aBlockWhoseSourceIsLostComesFromAnotherBeforeTheNextPrediction() throws IOException {
    listen(prefetching(false, Mode.PREEMPTIVE));
    told(0, "b", "c");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 40));
    assertThat(poll("a").get(0).getStart().getSourcesList())
        .extracting(SourceProto::getHost)
        .containsExactly("b");
    now += 16 * SECOND;
    poll("a");
    poll("c");
    daemons.tick();

    List<CommandProto> commands = poll("a");
    assertThat(commands).hasSize(2);
    assertThat(commands.get(0).hasCancel()).isTrue();
    assertThat(commands.get(1).getStart().getSourcesList())
        .extracting(SourceProto::getHost)
        .containsExactly("c");
  }

  private void nobodyTellsOfThoseWhoAreLost() {
    daemons.hear(
        new Daemons.Listener() {
          @Override
          public void told(
              Daemons.Daemon daemon, Optional<Daemons.Load> load, List<FlowProto> flows) {}

          @Override
          public void lost(Daemons.Daemon daemon) {}

          @Override
          public long noticeable(Daemons.Load load) {
            return 0;
          }
        });
  }

  @Test
  void neitherDoesOneThatIsGoneWhileAMapReadsFromIt() throws IOException {
    listen(prefetching(false, Mode.PREEMPTIVE));
    nobodyTellsOfThoseWhoAreLost();
    started("a");
    launched(MAP, "a", false);
    now += 16 * SECOND;
    poll("a");
    poll("c");
    daemons.tick();
    told(1, "c");
    foretell(launch(MapNames.attempt(ID, 1, 0), "a", Locality.RACK_LOCAL, 9));

    assertThat(prefetching.flows())
        .extracting(flow -> flow.flow().source(), PrefetchPlanner.Progress::reading)
        .containsExactly(tuple("b", true), tuple("c", false));
  }

  @Test
  void aMapReadsOnWhereNothingIsHeardOfTheDaemonOfItsSource() throws IOException {
    listen(prefetching(false, Mode.PREEMPTIVE));
    StartProto start = started("a");
    launched(MAP, "a", false);
    now += 16 * SECOND;
    poll("a");
    daemons.tick();
    assertThat(daemons.at("b")).isEmpty();

    tell("a", start.getFlow(), State.COPYING, LENGTH / 2);

    assertThat(poll("a")).noneMatch(CommandProto::hasCancel);
    assertThat(prefetching.flows()).hasSize(1);

    poll("c");
    told(1, "c");
    foretell(launch(MapNames.attempt(ID, 1, 0), "a", Locality.RACK_LOCAL, 9));
    assertThat(prefetching.flows())
        .as("others begin")
        .extracting(flow -> flow.flow().source())
        .containsExactly("b", "c");
  }

  @Test
  void whatAHostHasNoRoomForIsTriedAgain() throws IOException {
    StartProto start = started("a");
    tell("a", start.getFlow(), State.NO_ROOM, 0);
    for (int plan = 0; plan < 4; plan++) {
      foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
      assertThat(prefetching.flows()).isEmpty();
      assertThat(prefetching.waiting()).isEqualTo(1);
    }

    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    assertThat(prefetching.flows()).hasSize(1);
  }

  @Test
  void aFlowIsShownUntilItEndsAndWhetherItsTaskReadsIt() throws IOException {
    StartProto start = started("a");
    assertThat(prefetching.flows())
        .extracting(PrefetchPlanner.Progress::reading)
        .containsExactly(false);

    launched(MAP, "a", false);
    tell("a", start.getFlow(), State.COPYING, LENGTH / 2);
    assertThat(prefetching.flows())
        .extracting(PrefetchPlanner.Progress::reading)
        .containsExactly(true);

    tell("a", start.getFlow(), State.ARRIVED, LENGTH);
    assertThat(prefetching.flows()).isEmpty();
  }

  @Test
  void whatItsDaemonGaveUpTooSoonIsBroughtByTheNextPlan() throws IOException {
    StartProto start = started("a");
    tell("a", flow(start.getFlow(), State.NO_ROOM, 0).setExpired(true));
    assertThat(prefetching.flows()).isEmpty();

    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    assertThat(prefetching.flows()).hasSize(1);
  }

  @Test
  void aDaemonHearsOfALaunchThatSlipsAlsoWhenTheBlockHasCome() throws IOException {
    long flow = started("a").getFlow();
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 14));
    assertThat(poll("a"))
        .extracting(command -> command.getPace().getMillisToDeadline())
        .containsExactly(15_000L);

    tell("a", flow, State.ARRIVED, LENGTH);
    now += 10 * SECOND;
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    assertThat(poll("a"))
        .extracting(CommandProto::getPace)
        .extracting(PaceProto::getFlow, PaceProto::getMillisToDeadline)
        .containsExactly(tuple(flow, 10_000L));
  }

  @Test
  void aDaemonKeepsABlockForAMapThatHasItsContainerUntilItHasBegunToRead() throws IOException {
    long flow = started("a").getFlow();
    tell("a", flow, State.ARRIVED, LENGTH);
    launched(MAP, "a", false);
    assertKeptForTwoMinutes(flow);
    now += 100 * SECOND;
    assertKeptForTwoMinutes(flow);
    now += 10 * SECOND;
    prefetching.reading(JOB, MAP);
    assertKeptForTwoMinutes(flow);

    now += 100 * SECOND;
    foretell();
    assertThat(poll("a")).isEmpty();
  }

  private void assertKeptForTwoMinutes(long flow) throws IOException {
    foretell();
    assertThat(poll("a"))
        .extracting(CommandProto::getPace)
        .extracting(PaceProto::getFlow, PaceProto::getMillisToDeadline)
        .containsExactly(tuple(flow, 120_000L));
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"COPYING", "ARRIVED"})
  void aDaemonThatCannotHearOfALaunchThatSlipsKeepsItsCopyAndHearsOfItLater(State state)
      throws IOException {
    listen(prefetching(false, Mode.PREEMPTIVE));
    long flow = started("a").getFlow();
    tell("a", flow, state, LENGTH / 2);
    while (daemons.send("a", CommandMessages.cancel(flow + 1))) {
      // Until it is told no more.
    }
    Prediction later = launch(MAP, "a", Locality.RACK_LOCAL, 14);
    foretell(later);
    assertThat(poll("a")).hasSize(256).allMatch(CommandProto::hasCancel);
    assertThat(poll("a")).isEmpty();
    foretell(later);

    assertThat(poll("a"))
        .extracting(CommandProto::getPace)
        .extracting(PaceProto::getFlow, PaceProto::getMillisToDeadline)
        .containsExactly(tuple(flow, 15_000L));
  }

  @Test
  void whatAHostHadBroughtThatStartsAnewIsBroughtAgain() throws IOException {
    StartProto start = started("a");
    tell("a", start.getFlow(), State.ARRIVED, LENGTH);
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    assertThat(prefetching.flows()).as("it is there").isEmpty();

    sent.remove("a");
    poll("a");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    assertThat(prefetching.flows()).hasSize(1);
  }

  @Test
  void aFlowThatWasGivenUpWhileItsDaemonWasSilentEnds() throws IOException {
    long old = started("a").getFlow();
    now += 16 * SECOND;
    poll("b");
    daemons.tick();
    poll("a");
    poll("c");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    long flow = poll("a").get(0).getStart().getFlow();
    tell("a", old, State.COPYING, 10);
    tell("a", flow, State.COPYING, 10);
    tell("c", flow, State.COPYING, 10);

    assertThat(poll("a")).extracting(command -> command.getCancel().getFlow()).containsExactly(old);
    assertThat(poll("c")).as("it is none of his").isEmpty();
  }

  @Test
  void aPredictionThatIsOlderThanALaunchBringsNothingForIt() throws IOException {
    StartProto start = started("a");
    long takenAt = now;
    Prediction stale = launch(MAP, "c", Locality.RACK_LOCAL, 9);
    now += SECOND;
    launched(MAP, "a", false);
    tell("a", start.getFlow(), State.ARRIVED, LENGTH);
    Map<String, JobState> jobs = Map.of(JOB, new JobState("user", 3, 0));
    prefetching.foretold(new Foresight(List.of(stale), takenAt, 0, 0, jobs));

    assertThat(prefetching.flows()).isEmpty();
    assertThat(poll("c")).isEmpty();
  }

  @Test
  void aMapThatIsLaunchedHasItsLinksAtOnce() throws IOException {
    listen(prefetching(false, Mode.PREEMPTIVE));
    told(0, "b");
    told(1, "c");
    String second = MapNames.attempt(ID, 1, 0);
    foretell(
        launch(second, "a", Locality.RACK_LOCAL, 9), launch(MAP, "a", Locality.RACK_LOCAL, 19));
    assertThat(prefetching.waiting()).isEqualTo(1);
    long flow = poll("a").get(0).getStart().getFlow();
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 4), launch(second, "a", Locality.RACK_LOCAL, 9));
    assertThat(poll("a"))
        .extracting(command -> command.getPace().getFlow())
        .as("its map is expected later than another now")
        .contains(flow);

    launched(second, "a", false);
    now += SECOND / 5;
    sent("a", 0);
    assertThat(poll("a"))
        .as("before the next prediction")
        .extracting(command -> command.getPace().getRate())
        .containsExactly(0L, 1L);
  }

  @Test
  void whatALaunchLeavesToOthersTheyHaveThoughNobodyTellsAnything() throws IOException {
    listen(prefetching(false, Mode.PREEMPTIVE));
    twoOfWhichOneWaits();
    now += SECOND / 5;
    launched(MAP, "c", false);

    assertThat(poll("a"))
        .extracting(PrefetchingTest::said)
        .containsExactly("cancel 1", "start 101");
  }

  /** Many launches may be told of at once. */
  @Test
  void soDoTheyWhereRatesHaveJustBeenFoundButAMomentLater() throws IOException {
    listen(prefetching(false, Mode.PREEMPTIVE));
    twoOfWhichOneWaits();
    launched(MAP, "c", false);
    assertThat(poll("a")).extracting(PrefetchingTest::said).containsExactly("cancel 1");

    now += SECOND / 5;
    await().until(() -> poll("a").stream().anyMatch(CommandProto::hasStart));
  }

  @Test
  void forAMapThatHasItsContainerAsWellNothingBeginsInWhatAnotherLeaves() throws IOException {
    listen(prefetching(false, Mode.PREEMPTIVE));
    twoOfWhichOneWaits();
    now += SECOND / 5;
    launched(
        JobState.unforetold("", 0),
        new Assignment(MAP, "c", false, ""),
        new Assignment(MapNames.attempt(ID, 1, 0), "a", false, ""));

    assertThat(poll("a")).extracting(PrefetchingTest::said).containsExactly("cancel 1");
    assertThat(prefetching.flows()).isEmpty();
  }

  private void twoOfWhichOneWaits() throws IOException {
    told(0, "b");
    told(1, "b");
    String second = MapNames.attempt(ID, 1, 0);
    foretell(
        launch(MAP, "a", Locality.RACK_LOCAL, 9), launch(second, "a", Locality.RACK_LOCAL, 19));
    assertThat(poll("a")).extracting(PrefetchingTest::said).containsExactly("start 100");
    assertThat(prefetching.waiting()).isEqualTo(1);
  }

  @Test
  void aFiftiethOfALinkMakesNoDifference() throws IOException {
    PollProto told = question("a").setSelf(self("a").setSent(500).setReceived(0)).build();

    assertThat(daemons.poll(caller(), told, () -> unused -> {}))
        .hasValueSatisfying(answer -> assertThat(answer.getNoticeable()).isEqualTo(20));
  }

  @Test
  void aCopyGoesOnFromAnotherReplicaAndFallsBackToTheOneBefore() throws IOException {
    StartProto start = startedBesideOtherTraffic();
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 56));

    List<CommandProto> commands = poll("a");
    assertThat(commands).hasSize(1);
    StartProto moved = commands.get(0).getStart();
    assertThat(moved.getBefore()).isEqualTo(start.getFlow());
    assertThat(moved.getSourcesList()).extracting(SourceProto::getHost).containsExactly("c", "b");
    assertThat(prefetching.flows())
        .extracting(flow -> flow.flow().id())
        .containsExactly(moved.getFlow());
  }

  @Test
  void aCopyOfWhoseMoveNobodyCanBeToldGoesOnAsItWas() throws IOException {
    StartProto start = startedBesideOtherTraffic();
    foretell(Map.of(), launch(MAP, "a", Locality.RACK_LOCAL, 56));
    tell("a", start.getFlow(), State.COPYING, 6);

    assertThat(poll("a")).noneMatch(CommandProto::hasStart).noneMatch(CommandProto::hasCancel);
    assertThat(prefetching.flows())
        .extracting(flow -> flow.flow().id(), flow -> flow.flow().source())
        .containsExactly(tuple(start.getFlow(), "b"));
  }

  /** From a host whose link others have filled for four seconds; another has the block, too. */
  private StartProto startedBesideOtherTraffic() throws IOException {
    listen(prefetching(false, Mode.PREEMPTIVE));
    told(0, "b", "c");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 60));
    StartProto start = poll("a").get(0).getStart();
    assertThat(start.getSourcesList()).extracting(SourceProto::getHost).containsExactly("b");
    tell("a", start.getFlow(), State.COPYING, 0);
    now += 2 * SECOND;
    tell("a", start.getFlow(), State.COPYING, 4);
    sent("b", 990);
    now += 2 * SECOND;
    tell("a", start.getFlow(), State.COPYING, 5);
    sent("b", 990);
    poll("a");
    return start;
  }

  @Test
  void aFlowThatCannotBeSaidIsGivenUpAloneAndTheOthersBegin() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    driver = failingFirst(asked);
    listen(prefetching(false, Mode.IMPROVED));
    told(0, "b");
    told(1, "b");
    foretell(
        launch(MAP, "a", Locality.RACK_LOCAL, 9),
        launch(MapNames.attempt(ID, 1, 0), "c", Locality.RACK_LOCAL, 9));

    assertThat(asked).hasValue(2);
    assertThat(prefetching.flows()).hasSize(1);
  }

  private static RateDriver failingFirst(AtomicInteger asked) {
    return new RateDriver() {
      @Override
      public boolean guarantees() {
        return true;
      }

      @Override
      public OptionalInt begin(PrefetchFlow flow, List<Link> path) {
        if (asked.incrementAndGet() == 1) {
          throw new IllegalStateException("made up");
        }
        return OptionalInt.empty();
      }

      @Override
      public void follow(Collection<PrefetchFlow> flows, ToLongFunction<PrefetchFlow> rate) {}
    };
  }

  @Test
  void noDaemonSpeaksOfTheFlowsOfAnother() throws IOException {
    StartProto start = started("a");
    tell("c", start.getFlow(), State.FAILED, 0);

    assertThat(prefetching.flows()).hasSize(1);
  }

  @Test
  void ofASourceThatFailsAnotherIsTried() throws IOException {
    told(0, "b", "c");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    StartProto first = poll("a").get(0).getStart();
    tell("a", first.getFlow(), State.FAILED, 0);
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));

    StartProto second = poll("a").get(0).getStart();
    assertThat(second.getSources(0).getHost()).isNotEqualTo(first.getSources(0).getHost());
  }

  @Test
  void whoseOnlySourceHasFailedIsLookedForAnewAndBroughtFromWhereItIsByThen() throws IOException {
    StartProto first = started("a");
    tell("a", first.getFlow(), State.FAILED, 0);
    Prediction launch = launch(MAP, "a", Locality.RACK_LOCAL, 40);
    foretell(launch);
    assertThat(prefetching.outcomes()).containsEntry(Outcome.NO_REPLICA, 1L);
    assertThat(inputs.takeWanted(JOB)).as("the answer is new").isEmpty();

    pass(30);
    foretell(launch);
    assertThat(inputs.takeWanted(JOB)).containsExactly(0);
    told(0, "c");
    foretell(launch);
    assertThat(poll("a").get(0).getStart().getSources(0).getHost()).isEqualTo("c");
  }

  @Test
  void whoseOnlySourceWasSilentIsBroughtOnceThatIsBack() throws IOException {
    started("a");
    now += 16 * SECOND;
    poll("a");
    poll("c");
    daemons.tick();
    Prediction launch = launch(MAP, "a", Locality.RACK_LOCAL, 9);
    foretell(launch);
    assertThat(prefetching.flows()).isEmpty();

    poll("b");
    foretell(launch);
    assertThat(prefetching.flows()).extracting(flow -> flow.flow().source()).containsExactly("b");
  }

  @Test
  void whatNoHostThatIsThereHasIsLookedForAnew() throws IOException {
    told(0, "nobody");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    assertThat(inputs.takeWanted(JOB)).as("the answer is new").isEmpty();

    pass(30);
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    assertThat(inputs.takeWanted(JOB)).containsExactly(0);
  }

  @Test
  void anotherTokenIsAskedForInThePlaceOfOneThatHasExpired() throws IOException {
    told(0, "b");
    pass(30);
    Prediction launch = launch(MAP, "a", Locality.RACK_LOCAL, 9);
    foretell(launch);
    tell("a", poll("a").get(0).getStart().getFlow(), State.FORBIDDEN, 0);
    foretell(launch);
    assertThat(poll("a")).isEmpty();
    assertThat(inputs.takeWanted(JOB)).containsExactly(0);

    told(0, "b");
    foretell(launch);
    long flow = poll("a").get(0).getStart().getFlow();
    tell("a", flow, State.FORBIDDEN, 0);
    foretell(launch);
    assertThat(poll("a")).as("a new one that is not valid is a lie").isEmpty();
    assertThat(inputs.takeWanted(JOB)).isEmpty();
  }

  /** Nobody is silent for so long that he is forgotten. */
  private void pass(int seconds) throws IOException {
    for (int second = 0; second < seconds; second++) {
      now += SECOND;
      for (String host : List.of("a", "b", "c")) {
        poll(host);
      }
    }
  }

  @Test
  void whatAHostWasBringingThatIsGoneIsBroughtWhenItIsBack() throws IOException {
    started("a");
    now += 16 * SECOND;
    poll("b");
    daemons.tick();
    assertThat(prefetching.flows()).isEmpty();

    poll("a");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    assertThat(poll("a")).hasSize(1);
  }

  @Test
  void whatIsForetoldElsewhereIsCancelled() throws IOException {
    StartProto start = started("a");
    foretell(launch(MAP, "c", Locality.RACK_LOCAL, 9));

    assertThat(poll("a").get(0).getCancel().getFlow()).isEqualTo(start.getFlow());
    assertThat(poll("c").get(0).hasStart()).isTrue();
  }

  @Test
  void aCopyStandsStillWhileItsMapIsForetoldWhereItsInputIs() throws IOException {
    listen(prefetching(false, Mode.PREEMPTIVE));
    StartProto start = started("a");
    for (int prediction = 0; prediction < 5; prediction++) {
      foretell(launch(MAP, "b", Locality.NODE_LOCAL, 9));
    }
    assertThat(poll("a")).extracting(command -> command.getPace().getRate()).containsExactly(1L);

    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    assertThat(prefetching.flows())
        .extracting(flow -> flow.flow().id())
        .containsExactly(start.getFlow());
  }

  @Test
  void orGoesOnForTwoPredictionsWhereItsRateWouldBeAnothers() throws IOException {
    StartProto start = started("a");
    foretell(launch(MAP, "b", Locality.NODE_LOCAL, 9));
    foretell(launch(MAP, "b", Locality.NODE_LOCAL, 9));
    assertThat(poll("a")).isEmpty();

    foretell(launch(MAP, "b", Locality.NODE_LOCAL, 9));
    assertThat(poll("a"))
        .extracting(command -> command.getCancel().getFlow())
        .containsExactly(start.getFlow());
  }

  @Test
  void theSchedulerSaysWhichJobIsCriticalNotItsMaster() throws IOException {
    listen(prefetching(false, Mode.IMPROVED));
    ApplicationId other = ApplicationId.newInstance(1, 2);
    String otherMap = MapNames.attempt(other, 0, 0);
    told(0, "b");
    inputs.learn(other.toString(), List.of(input(0, 200, "b")));
    Map<String, JobState> jobs =
        Map.of(JOB, new JobState("user", 50, 0), other.toString(), new JobState("user", 2, 0));
    Prediction large = launch(MAP, "a", Locality.RACK_LOCAL, 0.25);
    Prediction small =
        new Prediction("a", now + SECOND / 4, other.toString(), otherMap, Locality.RACK_LOCAL);
    foretell(jobs, large);
    assertThat(poll("a")).extracting(PrefetchingTest::said).containsExactly("start 100");
    foretell(jobs, large, small);

    assertThat(poll("a").stream().map(PrefetchingTest::said).collect(Collectors.joining(", ")))
        .isEqualTo("cancel 1, start 200");
    assertThat(prefetching.flows())
        .extracting(flow -> flow.flow().job())
        .contains(other.toString());
  }

  private static String said(CommandProto command) {
    if (command.hasStart()) {
      return "start %d".formatted(command.getStart().getBlock().getId());
    } else if (command.hasPace()) {
      return "pace %d at %d".formatted(command.getPace().getFlow(), command.getPace().getRate());
    }
    return "cancel %d".formatted(command.getCancel().getFlow());
  }

  @Test
  void otherTrafficIsNotPushedAside() throws IOException {
    sent("b", 950);
    told(0, "b");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));

    assertThat(poll("a")).isEmpty();
    assertThat(prefetching.outcomes()).containsEntry(Outcome.REFUSED, 1L);
  }

  @Test
  void otherTrafficIsNotPushedAsideOnTheLinksOfRacks() throws IOException {
    rackCapacity = Optional.of(1000L);
    listen(prefetching(false, Mode.IMPROVED));
    poll(FAR);
    poll(FAR + 2);
    passed(FAR, 950, 0);
    passed("b", 0, 950);
    told(0, FAR + 2);
    foretell(launch(MAP, "a", Locality.OFF_SWITCH, 9));
    assertThat(poll("a")).isEmpty();
    assertThat(prefetching.outcomes()).containsEntry(Outcome.REFUSED, 1L);

    now += SECOND;
    passed(FAR, 0, 0);
    passed("b", 0, 0);
    foretell(launch(MAP, "a", Locality.OFF_SWITCH, 9));
    assertThat(poll("a")).hasSize(1);
  }

  @Test
  void whatIsForetoldForTheFirstTimeMayHaveToWait() throws IOException {
    steadiness = 0.5;
    listen(prefetching(false, Mode.PREEMPTIVE));
    told(0, "b");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    assertThat(poll("a")).isEmpty();
    assertThat(prefetching.waiting()).isEqualTo(1);

    now += 3 * SECOND;
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 6));
    assertThat(poll("a")).hasSize(1);
  }

  @Test
  void whileAUsersLaunchesComeOtherwiseThanForetoldNothingBeginsForThem() throws IOException {
    for (int map = 0; map < 10; map++) {
      told(map, "b");
    }
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    assertThat(poll("a")).hasSize(1);
    foretoldAndLaunched(1, "a", "c", 3);
    assertThat(prefetching.doubtful()).isEmpty();
    foretoldAndLaunched(4, "a", "c", 1);
    assertThat(prefetching.doubtful()).containsExactly("user");

    String next = MapNames.attempt(ID, 9, 0);
    Prediction[] both = {
      launch(MAP, "a", Locality.RACK_LOCAL, 9), launch(next, "c", Locality.RACK_LOCAL, 9)
    };
    for (int prediction = 0; prediction < 5; prediction++) {
      foretell(both);
    }
    assertThat(prefetching.flows())
        .as("what has begun goes on")
        .extracting(flow -> flow.flow().target())
        .containsExactly("a");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 14), both[1]);
    assertThat(poll("a"))
        .as("for as long as its launch slips")
        .extracting(command -> command.getPace().getMillisToDeadline())
        .containsExactly(15_000L);
    foretell(Map.of(JOB, new JobState("another", 3, 0)), both);
    assertThat(prefetching.flows()).as("of another user").hasSize(2);
    foretell();
    foretell();
    foretell();
    assertThat(prefetching.flows()).isEmpty();

    foretoldAndLaunched(5, "c", "c", 2);
    assertThat(prefetching.doubtful()).isEmpty();
    foretell(launch(next, "c", Locality.RACK_LOCAL, 9));
    assertThat(prefetching.flows()).hasSize(1);
  }

  @Test
  void whatFailsForADoubtedUserIsNotBegunFromAnotherSource() throws IOException {
    told(0, "b", "c");
    for (int map = 1; map < 5; map++) {
      told(map, "b");
    }
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    StartProto start = poll("a").get(0).getStart();
    foretoldAndLaunched(1, "a", "c", 4);
    assertThat(prefetching.doubtful()).containsExactly("user");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));

    tell("a", start.getFlow(), State.FAILED, 0);
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));

    assertThat(prefetching.flows()).isEmpty();
    assertThat(poll("a")).noneMatch(CommandProto::hasStart);
    foretell(Map.of(JOB, new JobState("another", 3, 0)), launch(MAP, "a", Locality.RACK_LOCAL, 9));
    assertThat(prefetching.flows())
        .as("of another user")
        .extracting(each -> each.flow().source())
        .doesNotContain(start.getSources(0).getHost())
        .hasSize(1);
  }

  /** As where every host has the input, nobody knows it, or no daemon is there. */
  @Test
  void launchesThatNothingWouldHaveBeenBroughtForTellNothing() throws IOException {
    foretell();
    for (int map = 0; map < 4; map++) {
      told(map, "a", "b", "c");
    }
    foretoldAndLaunched(0, "a", "c", 4);
    foretoldAndLaunched(4, "a", "c", 4);
    for (int map = 8; map < 12; map++) {
      told(map, "b");
    }
    foretoldAndLaunched(8, "elsewhere", "c", 4);
    foretoldAndLaunched(8, "", "c", 4);
    assertThat(prefetching.doubtful()).isEmpty();
  }

  private void foretoldAndLaunched(int first, String foretold, String host, int maps) {
    for (int map = first; map < first + maps; map++) {
      String task = MapNames.attempt(ID, map, 0);
      launched(JobState.unforetold("", 0), new Assignment(task, host, false, foretold));
    }
  }

  /** Or the first blocks of each job would wait for the one and then for the other. */
  @Test
  void theTimeCountsInWhichAJobIsAskedWhatItsMapReads() throws IOException {
    steadiness = 0.5;
    listen(prefetching(false, Mode.PREEMPTIVE));
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    now += 3 * SECOND;
    told(0, "b");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 6));

    assertThat(poll("a")).hasSize(1);
  }

  @Test
  void whatHasBegunGoesOnWhileAJobIsAskedAgainWhatItsMapReads() throws IOException {
    long flow = started("a").getFlow();
    inputs.retain(Set.of());
    for (int prediction = 0; prediction < 4; prediction++) {
      foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    }

    assertThat(prefetching.flows()).extracting(each -> each.flow().id()).containsExactly(flow);
    assertThat(poll("a")).isEmpty();
    for (int prediction = 0; prediction < 3; prediction++) {
      foretell();
    }
    assertThat(prefetching.flows()).isEmpty();
  }

  @Test
  void partOfItIsSharedIfThatIsAllowed() throws IOException {
    yieldShare = 0.5;
    listen(prefetching(false, Mode.IMPROVED));
    sent("b", 950);
    told(0, "b");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));

    assertThat(poll("a").get(0).getStart().getRate()).isEqualTo(100);
  }

  @Test
  void whereRatesAreGuaranteedOtherTrafficDoesNotCount() throws IOException {
    List<PrefetchFlow> followed = new ArrayList<>();
    driver =
        new RateDriver() {
          @Override
          public boolean guarantees() {
            return true;
          }

          @Override
          public OptionalInt begin(PrefetchFlow flow, List<Link> path) {
            return OptionalInt.of(42007);
          }

          @Override
          public void follow(Collection<PrefetchFlow> flows, ToLongFunction<PrefetchFlow> rate) {
            flows.forEach(flow -> assertThat(rate.applyAsLong(flow)).isEqualTo(100));
            followed.addAll(flows);
          }
        };
    listen(prefetching(false, Mode.IMPROVED));
    sent("b", 950);
    told(0, "b");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));

    assertThat(poll("a").get(0).getStart().getLocalPort()).isEqualTo(42007);
    assertThat(followed).isNotEmpty();
  }

  @Test
  void onLinksThatNoDeviceShapesOtherTrafficIsNotPushedAside() throws IOException {
    FollowedFlows followed = new FollowedFlows(true);
    followed.shapes = link -> !link.node().equals("b");
    driver = followed;
    listen(prefetching(false, Mode.IMPROVED));
    sent("b", 950);
    told(0, "b");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));

    assertThat(poll("a")).isEmpty();
    assertThat(prefetching.outcomes()).containsEntry(Outcome.REFUSED, 1L);
  }

  @Test
  void devicesHearOfHostsThatAreLost() throws IOException {
    FollowedFlows followed = new FollowedFlows(true);
    driver = followed;
    listen(prefetching(false, Mode.IMPROVED));
    now += 16 * SECOND;
    poll("a");
    poll("b");
    daemons.tick();

    assertThat(followed.lost).containsExactly("c");
  }

  @Test
  void devicesHearOfFlowsWhenThereIsAChange() throws IOException {
    FollowedFlows followed = new FollowedFlows(true);
    driver = followed;
    listen(prefetching(false, Mode.IMPROVED));
    long flow = started("a").getFlow();
    assertThat(followed.last).extracting(PrefetchFlow::id).containsExactly(flow);

    int before = followed.times;
    for (int poll = 0; poll < 5; poll++) {
      now += SECOND / 5;
      tell("a", flow, State.COPYING, 10);
      sent("b", 10);
    }
    assertThat(followed.times).isEqualTo(before);

    tell("a", flow, State.ARRIVED, LENGTH);
    assertThat(followed.last).isEmpty();
  }

  @Test
  void devicesHearOfFlowsThatEndAsTheirMapsAreLaunchedOrTheirHostsAreLost() throws IOException {
    FollowedFlows followed = new FollowedFlows(true);
    driver = followed;
    listen(prefetching(false, Mode.IMPROVED));
    started("a");
    launched(MAP, "a", false);
    assertThat(followed.last).isEmpty();

    told(1, "b");
    foretell(launch(MapNames.attempt(ID, 1, 0), "c", Locality.RACK_LOCAL, 9));
    assertThat(followed.last).hasSize(1);
    now += 16 * SECOND;
    poll("a");
    poll("b");
    daemons.tick();
    assertThat(followed.last).isEmpty();
  }

  @Test
  void aDriverThatGuaranteesNothingFollowsNobody() throws IOException {
    FollowedFlows followed = new FollowedFlows(false);
    driver = followed;
    listen(prefetching(false, Mode.IMPROVED));
    long flow = started("a").getFlow();
    tell("a", flow, State.ARRIVED, LENGTH);

    assertThat(followed.times).isZero();
  }

  private static final class FollowedFlows implements RateDriver {
    private final boolean guarantees;
    private final List<String> lost = new ArrayList<>();
    private Predicate<Link> shapes = link -> true;
    private Collection<PrefetchFlow> last = List.of();
    private int times;

    private FollowedFlows(boolean guarantees) {
      this.guarantees = guarantees;
    }

    @Override
    public boolean guarantees() {
      return guarantees;
    }

    @Override
    public boolean guarantees(Link link) {
      return guarantees && shapes.test(link);
    }

    @Override
    public void lost(String host) {
      lost.add(host);
    }

    @Override
    public OptionalInt begin(PrefetchFlow flow, List<Link> path) {
      return OptionalInt.empty();
    }

    @Override
    public void follow(Collection<PrefetchFlow> flows, ToLongFunction<PrefetchFlow> rate) {
      last = flows;
      times++;
    }
  }

  private void sent(String host, long rate) throws IOException {
    passed(host, rate, 0);
  }

  private void passed(String host, long sent, long received) throws IOException {
    daemons.poll(
        caller(),
        question(host).setSelf(self(host).setSent(sent).setReceived(received)).build(),
        () -> unused -> {});
  }

  @Test
  void withoutCardinalNobodyIsRefusedAndNothingPaced() throws IOException {
    listen(prefetching(false, Mode.OFF));
    told(0, "b");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 0.01));

    assertThat(poll("a").get(0).getStart().getRate()).isZero();
    assertThat(prefetching.isPacing()).isFalse();
  }

  @Test
  void itsDaemonHearsThatAMapHasItsContainerAlsoWhereNothingIsPaced() throws IOException {
    listen(prefetching(true, Mode.OFF));
    told(1, "b");
    assertThat(started("a").getLaunched()).isFalse();

    launched(MAP, "a", false);
    launched(MapNames.attempt(ID, 1, 0), "a", false);
    List<CommandProto> commands = poll("a");
    assertThat(commands).hasSize(2);
    assertThat(commands.get(0).getPace().getLaunched()).isTrue();
    assertThat(commands.get(1).getStart().getLaunched()).isTrue();
  }

  @Test
  void aMapThatWasNotForetoldGetsItsInputWhileItStartsIfThatIsSwitchedOn() throws IOException {
    told(0, "b");
    foretell();
    launched(MAP, "a", false);
    assertThat(poll("a")).isEmpty();

    listen(prefetching(true, Mode.IMPROVED));
    foretell(launch(MAP, "b", Locality.NODE_LOCAL, 9));
    launched(MAP, "a", false);
    StartProto start = poll("a").get(0).getStart();
    assertThat(start.getMillisToDeadline()).isEqualTo(1000);
    assertThat(start.getConfirmed()).isTrue();
  }

  @Test
  void soDoesOneOfAJobThatNoPredictionHasSeen() throws IOException {
    listen(prefetching(true, Mode.IMPROVED));
    told(0, "b");
    foretell(Map.of());
    launched(JobState.unforetold("own", 5 * SECOND), new Assignment(MAP, "a", false, ""));

    StartProto start = poll("a").get(0).getStart();
    assertThat(start.getUser()).isEqualTo("own");
    assertThat(start.getMillisToDeadline()).as("half of what it takes").isEqualTo(3000);
    assertThat(prefetching.flows()).hasSize(1);
  }

  @Test
  void whatAPredictionHasSeenOfAJobCountsMore() throws IOException {
    listen(prefetching(true, Mode.IMPROVED));
    told(0, "b");
    foretell();
    launched(JobState.unforetold("other", 5 * SECOND), new Assignment(MAP, "a", false, ""));

    StartProto start = poll("a").get(0).getStart();
    assertThat(start.getUser()).isEqualTo("user");
    assertThat(start.getMillisToDeadline()).isEqualTo(1000);
  }

  @Test
  void nothingIsBroughtForAJobThatNobodyKnows() throws IOException {
    listen(prefetching(true, Mode.IMPROVED));
    told(0, "b");
    foretell(Map.of());
    launched(MAP, "a", false);

    assertThat(poll("a")).isEmpty();
    assertThat(prefetching.flows()).isEmpty();
  }

  @Test
  void whatHasNotBegunOfTheInputOfAMapComesWhileItStarts() throws IOException {
    listen(prefetching(true, Mode.PREEMPTIVE));
    TaskInputProto input =
        input(0, 100, "b").toBuilder().addBlocks(input(0, 101, "b").getBlocks(0)).build();
    inputs.learn(JOB, List.of(input));
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    assertThat(poll("a")).extracting(PrefetchingTest::said).containsExactly("start 100");
    assertThat(prefetching.waiting()).as("for its turn").isEqualTo(1);
    long flow = prefetching.flows().get(0).flow().id();

    launched(MAP, "a", false);
    assertThat(poll("a"))
        .extracting(PrefetchingTest::said)
        .containsExactly("pace %d at 0".formatted(flow), "start 101");
    assertThat(prefetching.confirmedOutcomes()).containsEntry(Outcome.STARTED, 1L);
  }

  @Test
  void whatOneSourceHasFailedToGiveComesFromAnotherWhileItsMapStarts() throws IOException {
    listen(prefetching(true, Mode.PREEMPTIVE));
    told(0, "b", "c");
    foretell(launch(MAP, "a", Locality.RACK_LOCAL, 9));
    StartProto first = poll("a").get(0).getStart();
    tell("a", first.getFlow(), State.FAILED, 0);
    launched(MAP, "a", false);

    StartProto second = poll("a").get(0).getStart();
    assertThat(second.getSources(0).getHost()).isNotEqualTo(first.getSources(0).getHost());
    assertThat(second.getConfirmed()).isTrue();
  }

  @Test
  void whoWaitsForALinkBeginsWhenItIsFree() throws IOException {
    listen(prefetching(false, Mode.PREEMPTIVE));
    told(0, "b");
    told(1, "b");
    String second = MapNames.attempt(ID, 1, 0);
    foretell(
        launch(MAP, "a", Locality.RACK_LOCAL, 9), launch(second, "a", Locality.RACK_LOCAL, 19));
    List<CommandProto> commands = poll("a");
    assertThat(commands).hasSize(1);
    assertThat(commands.get(0).getStart().getRate()).isEqualTo(1000);
    assertThat(commands.get(0).getStart().getConfirmed()).isFalse();
    assertThat(prefetching.waiting()).isEqualTo(1);

    now += SECOND / 5;
    tell("a", commands.get(0).getStart().getFlow(), State.ARRIVED, LENGTH);

    assertThat(poll("a"))
        .as("before the next prediction")
        .extracting(command -> command.getStart().getBlock().getId())
        .containsExactly(101L);
    assertThat(prefetching.waiting()).isZero();
  }

  @Test
  void whoWaitsForALinkOfAHostThatIsLostBeginsToo() throws IOException {
    listen(prefetching(false, Mode.PREEMPTIVE));
    told(0, "b");
    told(1, "b");
    String second = MapNames.attempt(ID, 1, 0);
    foretell(
        launch(MAP, "a", Locality.RACK_LOCAL, 9), launch(second, "c", Locality.RACK_LOCAL, 19));
    assertThat(prefetching.waiting()).isEqualTo(1);

    now += 16 * SECOND;
    poll("b");
    poll("c");
    daemons.tick();
    sent("b", 0);

    assertThat(poll("c"))
        .as("before the next prediction")
        .extracting(command -> command.getStart().getBlock().getId())
        .containsExactly(101L);
  }

  @Test
  void aReaderGetsALinkBackThatItSharesWithACopy() throws IOException {
    listen(prefetching(false, Mode.PREEMPTIVE));
    told(0, "b");
    Prediction launch = launch(MAP, "a", Locality.RACK_LOCAL, 9);
    foretell(launch);
    long flow = poll("a").get(0).getStart().getFlow();
    tell("a", flow, State.COPYING, 0);
    now += SECOND;
    tell("a", flow, State.COPYING, 500);
    sent("b", 1000);
    foretell(launch);

    assertThat(poll("a"))
        .as("half of what it has had, with headers")
        .extracting(command -> command.getPace().getRate())
        .containsExactly(264L);
  }

  private StartProto started(String host) throws IOException {
    told(0, "b");
    foretell(launch(MAP, host, Locality.RACK_LOCAL, 9));
    return poll(host).get(0).getStart();
  }

  /** Nothing more is known of its job than predictions tell. */
  private void launched(String map, String host, boolean local) {
    launched(JobState.unforetold("", 0), new Assignment(map, host, local, ""));
  }

  private void launched(JobState seen, Assignment... maps) {
    prefetching.launched(JOB, seen, List.of(maps));
  }

  private void foretell(Prediction... launches) {
    foretell(Map.of(JOB, new JobState("user", 3, 0)), launches);
  }

  private void foretell(Map<String, JobState> jobs, Prediction... launches) {
    prefetching.foretold(new Foresight(List.of(launches), now, 0, 0, jobs));
  }

  private Prediction launch(String task, String host, Locality locality, double seconds) {
    return new Prediction(host, now + (long) (seconds * SECOND), JOB, task, locality);
  }

  /** Maps read one block each. */
  private void told(int map, String... replicas) throws IOException {
    inputs.learn(JOB, List.of(input(map, 100 + map, replicas)));
  }

  private static TaskInputProto input(int map, long block, String... replicas) {
    return TaskInputProto.newBuilder()
        .setTask(map)
        .addBlocks(
            InputBlockProto.newBuilder()
                .setPool("pool")
                .setId(block)
                .setGenerationStamp(1)
                .setLength(LENGTH)
                .addAllReplicas(List.of(replicas))
                .setToken(ByteString.copyFromUtf8("token")))
        .build();
  }

  private void tell(String host, long flow, State state, long bytes) throws IOException {
    tell(host, flow(flow, state, bytes));
  }

  private void tell(String host, FlowProto.Builder flow) throws IOException {
    daemons.poll(caller(), question(host).addFlows(flow).build(), () -> unused -> {});
  }

  private static FlowProto.Builder flow(long flow, State state, long bytes) {
    return FlowProto.newBuilder().setFlow(flow).setState(state).setBytes(bytes);
  }

  /** What a daemon is told since the last time. */
  private List<CommandProto> poll(String host) throws IOException {
    List<CommandProto> commands =
        daemons
            .poll(caller(), question(host).build(), () -> unused -> {})
            .orElseThrow()
            .getCommandsList();
    commands.forEach(command -> done.put(host, command.getNumber()));
    sent.put(host, EPOCH);
    return commands;
  }

  private PollProto.Builder question(String host) {
    return PollProto.newBuilder()
        .setSelf(self(host))
        .setEpoch(sent.getOrDefault(host, 0L))
        .setDone(done.getOrDefault(host, 0L))
        .setHold(false);
  }

  private static DaemonProto.Builder self(String host) {
    return DaemonProto.newBuilder().setDatanodeUuid(host).setHost(host).setTransferPort(9866);
  }

  private static Caller caller() {
    return new Caller("dn", InetAddress.getLoopbackAddress());
  }
}
