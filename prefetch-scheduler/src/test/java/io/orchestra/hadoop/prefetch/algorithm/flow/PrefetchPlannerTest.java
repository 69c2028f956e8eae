package io.orchestra.hadoop.prefetch.algorithm.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.core.topology.NetworkTree;
import io.orchestra.hadoop.prefetch.algorithm.flow.Cardinal.Mode;
import io.orchestra.hadoop.prefetch.algorithm.flow.Command.Cancel;
import io.orchestra.hadoop.prefetch.algorithm.flow.Command.Pace;
import io.orchestra.hadoop.prefetch.algorithm.flow.Command.Start;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Decision;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.End;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Outcome;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Share;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PrefetchPlannerTest {
  private static final long SECOND = 1_000_000_000;
  private static final NetworkTree NETWORK =
      NetworkTree.builder()
          .host("a", "/r1", 100)
          .host("b", "/r1", 100)
          .host("c", "/r2", 100)
          .host("d", "/r2", 100)
          .switchCapacity("/r1", 120)
          .switchCapacity("/r2", 120)
          .build();

  private static final NetworkTree WITHOUT_B =
      NetworkTree.builder().host("a", "/r1", 100).switchCapacity("/r1", 120).build();

  private final Map<String, Long> residual = new HashMap<>(Map.of("small", 1L, "large", 50L));
  private final Allotments network = new Allotments(NETWORK, 1, link -> 0);
  private final PrefetchPlanner planner =
      new PrefetchPlanner(network, residual::get, Mode.IMPROVED, 0);

  @Test
  void aNeedStartsFromTheNearestReplicaAtTheRateThatIsJustEnough() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 400, 10);

    List<Command> commands = planner.plan(List.of(need), 0);

    assertThat(commands)
        .singleElement()
        .isInstanceOfSatisfying(
            Start.class,
            start -> {
              assertThat(start.flow().source()).isEqualTo("b");
              assertThat(start.rate()).isEqualTo(40);
            });
    assertThat(planner.plan(List.of(need), 0)).as("nothing has changed").isEmpty();
  }

  @Test
  void ofReplicasEquallyNearTheOneWithMoreRoomIsTaken() {
    planner.plan(List.of(need("first", "large", "b", Set.of("c"), 500, 10)), 0);

    List<Command> commands =
        planner.plan(
            List.of(
                need("first", "large", "b", Set.of("c"), 500, 10),
                need("second", "large", "a", Set.of("c", "d"), 100, 10)),
            0);
    assertThat(commands).extracting(command -> command.flow().source()).containsExactly("d");
  }

  @Test
  void whatIsPredictedElsewhereIsCancelledAndStartedThere() {
    planner.plan(List.of(need("map", "small", "a", Set.of("c"), 400, 10)), 0);

    List<Command> commands =
        planner.plan(List.of(need("map", "small", "b", Set.of("c"), 400, 10)), SECOND);

    assertThat(commands).hasSize(2);
    assertThat(commands.get(0)).isInstanceOf(Cancel.class);
    assertThat(commands.get(1)).isInstanceOf(Start.class);
    assertThat(network.flows()).hasSize(1);
    assertThat(planner.decisions())
        .extracting(decision -> decision.need().target() + " " + decision.outcome())
        .containsExactly("a STARTED", "a NOT_NEEDED", "b STARTED");
    assertThat(planner.decisions())
        .extracting(Decision::reason)
        .containsExactly(
            "from c at 40 bytes/s", "its task is expected elsewhere", "from c at 45 bytes/s");
  }

  @Test
  void aCriticalPrefetchTakesTheRateOfALessCriticalOne() {
    PrefetchNeed large = need("large map", "large", "a", Set.of("b"), 800, 10);
    planner.plan(List.of(large), 0);

    List<Command> commands =
        planner.plan(List.of(large, need("small map", "small", "a", Set.of("b"), 700, 10)), 0);

    assertThat(commands)
        .extracting(command -> command.getClass().getSimpleName() + " " + command.flow().job())
        .containsExactly("Cancel large", "Start small");
    assertThat(planner.decisions())
        .extracting(decision -> decision.need().job() + " " + decision.outcome())
        .containsExactly("large STARTED", "large ABANDONED", "small STARTED");
    assertThat(planner.decisions().get(1).reason()).isEqualTo("for a block of small map");
    assertThat(planner.outcomes()).isEqualTo(Map.of(Outcome.STARTED, 2L, Outcome.ABANDONED, 1L));
  }

  @Test
  void whatCannotComeInTimeIsNotStarted() {
    planner.plan(List.of(need("map", "small", "a", Set.of("b"), 2000, 10)), 0);
    planner.plan(List.of(need("late", "small", "a", Set.of("b"), 1, 10)), 10 * SECOND);
    planner.plan(List.of(need("far", "small", "a", Set.of("elsewhere"), 1, 10)), 0);

    assertThat(planner.flows()).isEmpty();
    assertThat(planner.outcomes())
        .isEqualTo(Map.of(Outcome.REFUSED, 1L, Outcome.TOO_LATE, 1L, Outcome.NO_REPLICA, 1L));
    assertThat(planner.decisions().get(0).reason())
        .isEqualTo("b up: 200 bytes/s needed, 100 free, and nobody less critical has enough");
  }

  @Test
  void aDeadlineThatComesNearerRaisesTheRateAndProgressLowersIt() {
    planner.plan(List.of(need("map", "small", "a", Set.of("b"), 400, 10)), 0);

    List<Command> nearer = planner.plan(List.of(need("map", "small", "a", Set.of("b"), 400, 8)), 0);
    assertThat(nearer).extracting(command -> ((Pace) command).rate()).containsExactly(50L);

    planner.progress(nearer.get(0).flow().id(), 240, 0);
    assertThat(planner.plan(List.of(need("map", "small", "a", Set.of("b"), 400, 8)), 0))
        .extracting(command -> ((Pace) command).rate())
        .containsExactly(20L);
  }

  @Test
  void aRateThatIsNearlyRightIsKeptUntilItIsNot() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 400, 10);
    long flow = started(need);
    planner.progress(flow, 35, SECOND);
    assertThat(planner.plan(List.of(need), SECOND)).as("41 were just enough").isEmpty();
    planner.progress(flow, 85, 2 * SECOND);
    assertThat(planner.plan(List.of(need), 2 * SECOND)).as("40 are").isEmpty();
    planner.progress(flow, 105, 3 * SECOND);
    assertThat(planner.plan(List.of(need), 3 * SECOND)).as("43 were").isEmpty();
    planner.progress(flow, 125, 4 * SECOND);

    assertThat(planner.plan(List.of(need), 4 * SECOND))
        .extracting(PrefetchPlannerTest::said)
        .containsExactly("Pace flow of small 46");
  }

  @Test
  void aHostThatHasABlockHearsThatItsTaskComesLater() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 400, 10);
    PrefetchNeed later = need("map", "small", "a", Set.of("b"), 400, 15);
    PrefetchFlow flow = new PrefetchFlow(started(need), "small", "b", "a");
    planner.ended(flow.id(), End.ARRIVED, 0);

    assertThat(planner.plan(List.of(later), SECOND)).isEmpty();
    assertThat(postponed(true))
        .containsExactly(new Pace(flow, Command.UNPACED, 15 * SECOND, false));
    assertThat(postponed(true)).as("once").isEmpty();
    assertThat(planner.plan(List.of(need), SECOND)).isEmpty();
    assertThat(postponed(true)).as("it keeps it for longer").isEmpty();
    assertThat(planner.plan(List.of(later), SECOND)).isEmpty();
    assertThat(postponed(true)).as("as it was told").isEmpty();
  }

  @Test
  void aHostThatCouldNotHearThatATaskComesLaterHearsOfItTheNextTime() {
    PrefetchNeed later = need("map", "small", "a", Set.of("b"), 400, 15);
    long flow = started(need("map", "small", "a", Set.of("b"), 400, 10));
    planner.ended(flow, End.ARRIVED, 0);
    planner.plan(List.of(later), SECOND);

    assertThat(postponed(false)).hasSize(1);
    assertThat(planner.plan(List.of(later), SECOND)).isEmpty();
    assertThat(postponed(true)).extracting(command -> command.flow().id()).containsExactly(flow);
    assertThat(postponed(true)).isEmpty();
  }

  @Test
  void aBlockIsKeptForATaskThatHasItsContainerHoweverLateItBeginsToRead() {
    PrefetchFlow flow = launched();

    assertThat(postponedAt(7)).containsExactly(kept(flow, 127));
    assertThat(postponedAt(67)).as("there is time").isEmpty();
    assertThat(postponedAt(127)).as("plans were late").containsExactly(kept(flow, 247));

    planner.reads("small", "map", 200 * SECOND);
    assertThat(postponedAt(200)).containsExactly(kept(flow, 320));
    planner.reads("small", "map", 300 * SECOND);
    assertThat(postponedAt(319)).as("for no longer").isEmpty();
    assertThat(planner.brings("small", "map", "block of map", "a")).isTrue();
    assertThat(postponedAt(381)).isEmpty();
    assertThat(planner.brings("small", "map", "block of map", "a")).isFalse();
  }

  @Test
  void noLongerThanItsTaskHasItsContainer() {
    PrefetchFlow flow = launched();
    assertThat(postponedAt(7)).containsExactly(kept(flow, 127));

    planner.left("small", "map");
    assertThat(postponedAt(120)).isEmpty();
    assertThat(planner.brings("small", "map", "block of map", "a")).isTrue();
    assertThat(postponedAt(188)).isEmpty();
    assertThat(planner.brings("small", "map", "block of map", "a")).isFalse();
  }

  /** Its block has come at five seconds of ten, and it has its container at six. */
  private PrefetchFlow launched() {
    PrefetchFlow flow =
        new PrefetchFlow(
            started(need("map", "small", "a", Set.of("b"), 400, 10)), "small", "b", "a");
    planner.ended(flow.id(), End.ARRIVED, 5 * SECOND);
    assertThat(planner.launched("small", "map", "a", 6 * SECOND)).isEmpty();
    return flow;
  }

  private static Command kept(PrefetchFlow flow, long second) {
    return new Pace(flow, Command.UNPACED, second * SECOND, false);
  }

  @Test
  void aBlockThatStillComesIsKeptToo() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 400, 10);
    PrefetchFlow flow = planner.confirm(need, 0).get(0).flow();
    planner.progress(flow.id(), 100, SECOND);
    assertThat(postponedAt(1)).containsExactly(new Pace(flow, Command.UNPACED, 121 * SECOND, true));

    assertThat(postponedAt(90))
        .containsExactly(new Pace(flow, Command.UNPACED, 210 * SECOND, true));
    assertThat(planner.progress())
        .as("though nobody has been heard of for long")
        .extracting(progress -> progress.flow().id())
        .containsExactly(flow.id());
    planner.left("small", "map");
    assertThat(planner.plan(List.of(), 91 * SECOND)).isEmpty();
    assertThat(planner.plan(List.of(), 92 * SECOND)).isEmpty();
    assertThat(planner.plan(List.of(), 93 * SECOND)).containsExactly(new Cancel(flow));
  }

  @Test
  void nothingIsKeptElsewhereThanWhereItsTaskHasItsContainer() {
    planner.ended(
        started(need("map", "small", "a", Set.of("b"), 400, 10)), End.ARRIVED, 5 * SECOND);
    assertThat(planner.launched("small", "map", "c", 6 * SECOND)).isEmpty();

    assertThat(postponedAt(7)).isEmpty();
  }

  /** What daemons hear after a plan in which nothing is foretold. */
  private List<Command> postponedAt(long second) {
    assertThat(planner.plan(List.of(), second * SECOND)).isEmpty();
    return postponed(true);
  }

  /** What daemons would hear, and whether they do. */
  private List<Command> postponed(boolean areTold) {
    List<Command> commands = new ArrayList<>();
    planner.postpone(
        command -> {
          commands.add(command);
          return areTold;
        });
    return commands;
  }

  @Test
  void nobodyHearsOfTasksWhoseBlocksHeDoesNotBring() {
    planner.ended(started(need("map", "small", "a", Set.of("b"), 400, 10)), End.DECLINED, 0);

    assertThat(planner.plan(List.of(need("map", "small", "a", Set.of("b"), 400, 15)), SECOND))
        .isEmpty();
    assertThat(postponed(true)).isEmpty();
  }

  @Test
  void aLatePrefetchGoesOnAsItIs() {
    long flow = started(need("map", "small", "a", Set.of("b"), 400, 10));
    planner.progress(flow, 0, 11 * SECOND);

    assertThat(planner.plan(List.of(need("map", "small", "a", Set.of("b"), 400, 10)), 11 * SECOND))
        .isEmpty();
    assertThat(network.rate(planner.flows().get(0))).isEqualTo(40);
  }

  @Test
  void aCriticalPrefetchWhoseDeadlineComesNearerTakesTheRateOfALessCriticalOne() {
    PrefetchNeed large = need("large map", "large", "a", Set.of("b"), 500, 10);
    planner.plan(List.of(large, need("small map", "small", "a", Set.of("b"), 400, 10)), 0);

    assertThat(
            planner.plan(List.of(large, need("small map", "small", "a", Set.of("b"), 400, 5)), 0))
        .extracting(command -> command.getClass().getSimpleName() + " " + command.flow().job())
        .containsExactly("Cancel large", "Pace small");
  }

  @Test
  void aBlockThatHasArrivedFreesItsRateAndIsNotFetchedAgain() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 400, 10);
    long flow = started(need);
    planner.ended(flow, End.ARRIVED, 0);
    planner.ended(flow, End.ARRIVED, 0);
    planner.progress(flow, 10, 0);

    assertThat(planner.flows()).isEmpty();
    assertThat(network.flows()).isEmpty();
    assertThat(planner.plan(List.of(need), SECOND)).isEmpty();
    assertThat(planner.plan(List.of(), 2 * SECOND)).isEmpty();
    assertThat(planner.plan(List.of(need), 3 * SECOND)).as("it is there still").isEmpty();
  }

  @Test
  void aTaskThatIsLaunchedKeepsItsCopyWhichIsNobodysToTakeAway() {
    PrefetchNeed need = need("map", "large", "a", Set.of("b"), 800, 10);
    long flow = started(need);
    planner.launched("large", "map", "a", 0);

    assertThat(network.flows()).isEmpty();
    assertThat(planner.plan(List.of(need), SECOND)).as("a prediction that is late").isEmpty();
    assertThat(planner.plan(List.of(need("other", "small", "a", Set.of("b"), 900, 11)), SECOND))
        .hasOnlyElementsOfType(Start.class);
    planner.ended(flow, End.ARRIVED, 0);
    assertThat(planner.plan(List.of(), 2 * SECOND)).extracting(Command::flow).isEmpty();
  }

  @Test
  void whatIsExpectedNowhereIsCancelledAfterAWhileAsItsTaskMayHaveBeenLaunched() {
    started(need("map", "small", "a", Set.of("b"), 400, 10));

    assertThat(planner.plan(List.of(), SECOND)).isEmpty();
    assertThat(planner.plan(List.of(), 2 * SECOND)).isEmpty();
    assertThat(planner.plan(List.of(), 3 * SECOND)).hasOnlyElementsOfType(Cancel.class);
    assertThat(network.flows()).isEmpty();
  }

  @Test
  void ofASourceThatFailsAnotherOneIsTriedOnce() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c", "d"), 400, 10);
    planner.ended(started(need), End.FAILED, 0);

    List<Command> again = planner.plan(List.of(need), 0);
    assertThat(again).extracting(command -> command.flow().source()).containsExactly("c");
    planner.ended(again.get(0).flow().id(), End.FAILED, 0);
    assertThat(planner.plan(List.of(need), 0)).isEmpty();
  }

  @Test
  void aSourceThatHasFailedIsAskedAgainAfterAWhile() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 400, 100);
    planner.ended(started(need), End.FAILED, 0);

    assertThat(planner.plan(List.of(need), 30 * SECOND)).isEmpty();
    assertThat(planner.withoutReplica()).containsExactly(need);
    assertThat(said(planner.plan(List.of(need), 31 * SECOND))).containsExactly("Start map 6");
  }

  @Test
  void afterTwoThatHaveFailedTheNextIsOneThatHasNot() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c", "d"), 400, 100);
    planner.ended(started(need), End.FAILED, 0);
    assertThat(sourceThatFails(need, 10)).isEqualTo("c");

    assertThat(planner.plan(List.of(need), 30 * SECOND)).isEmpty();
    assertThat(planner.withoutReplica()).as("there may be others").containsExactly(need);
    assertThat(sourceThatFails(need, 31)).isEqualTo("d");
    assertThat(planner.plan(List.of(need), 40 * SECOND)).isEmpty();
    assertThat(sourceThatFails(need, 41)).isEqualTo("b");
    assertThat(planner.plan(List.of(need), 61 * SECOND)).as("two in half a minute").isEmpty();
    assertThat(sourceThatFails(need, 62)).isEqualTo("c");
  }

  private String sourceThatFails(PrefetchNeed need, long seconds) {
    List<Command> commands = planner.plan(List.of(need), seconds * SECOND);
    assertThat(commands).hasOnlyElementsOfType(Start.class).hasSize(1);
    PrefetchFlow flow = commands.get(0).flow();
    planner.ended(flow.id(), End.FAILED, seconds * SECOND);
    return flow.source();
  }

  @Test
  void aSourceThatWasGoneIsAskedAsSoonAsItIsBack() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 400, 100);
    planner.ended(started(need), End.FAILED, 0);
    network.network(WITHOUT_B);
    planner.forgive("b"::equals);
    assertThat(planner.plan(List.of(need), SECOND)).isEmpty();

    network.network(NETWORK);
    assertThat(said(planner.plan(List.of(need), 2 * SECOND))).containsExactly("Start map 5");
  }

  @Test
  void whatStaysAsItIsIsToldOnceAndCountsInEachPlan() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 400, 100);
    planner.ended(started(need), End.FAILED, 0);
    for (int plan = 1; plan <= 30; plan++) {
      assertThat(planner.plan(List.of(need), plan * SECOND)).isEmpty();
    }
    assertThat(sourceThatFails(need, 31)).isEqualTo("b");
    assertThat(planner.plan(List.of(need), 31 * SECOND)).isEmpty();
    for (int plan = 0; plan < 3; plan++) {
      assertThat(planner.plan(List.of(need), 100 * SECOND)).isEmpty();
    }

    assertThat(planner.decisions())
        .extracting(Decision::outcome)
        .containsExactly(
            Outcome.STARTED,
            Outcome.NO_REPLICA,
            Outcome.STARTED,
            Outcome.NO_REPLICA,
            Outcome.TOO_LATE);
    assertThat(planner.outcomes())
        .isEqualTo(Map.of(Outcome.STARTED, 2L, Outcome.NO_REPLICA, 31L, Outcome.TOO_LATE, 3L));
  }

  @Test
  void whoIsRefusedIsToldSoAnewWhenAnotherLinkIsTheOneThatHasNoRoom() {
    PrefetchNeed fromB = need("first", "small", "c", Set.of("b"), 800, 10);
    PrefetchNeed toA = need("second", "small", "a", Set.of("c"), 800, 10);
    PrefetchNeed refused = need("third", "small", "a", Set.of("b"), 400, 10);
    long first = planner.plan(List.of(fromB, refused), 0).get(0).flow().id();
    planner.plan(List.of(fromB, refused), SECOND);
    planner.ended(first, End.ARRIVED, SECOND);
    for (int plan = 0; plan < 2; plan++) {
      planner.plan(List.of(toA, refused), SECOND);
    }

    assertThat(planner.decisions())
        .filteredOn(decision -> decision.outcome() == Outcome.REFUSED)
        .extracting(Decision::reason)
        .containsExactly(
            "b up: 40 bytes/s needed, 20 free, and nobody less critical has enough",
            "a down: 45 bytes/s needed, 11 free, and nobody less critical has enough");
    assertThat(planner.outcomes()).containsEntry(Outcome.REFUSED, 4L);
  }

  @Test
  void aTargetThatDeclinesIsNotAskedAgain() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 400, 10);
    planner.ended(started(need), End.DECLINED, 0);

    assertThat(planner.plan(List.of(need), SECOND)).isEmpty();
  }

  @Test
  void whereAJobHadNoRoomItTriesAgainAfterAWhileAndOthersAtOnce() {
    PrefetchNeed first = need("first", "large", "a", Set.of("b"), 400, 100);
    PrefetchNeed second = need("second", "large", "a", Set.of("b"), 400, 100);
    PrefetchNeed others = need("map", "small", "a", Set.of("b"), 400, 100);
    PrefetchNeed elsewhere = need("third", "large", "c", Set.of("b"), 400, 100);
    List<PrefetchNeed> needs = List.of(first, second, others, elsewhere);
    long flow = started(first);
    planner.ended(flow, End.NO_ROOM, 0);
    assertThat(planner.pace(0)).isEmpty();

    List<Command> commands = planner.plan(needs, SECOND);
    assertThat(commands)
        .extracting(command -> command.flow().job() + " " + command.flow().target())
        .containsExactly("small a", "large c");
    commands.forEach(command -> planner.ended(command.flow().id(), End.ARRIVED, SECOND));
    assertThat(planner.waiting()).containsExactly(first, second);
    assertThat(planner.waitingFor()).isEqualTo(Map.of(Waiting.ROOM, 2L));
    for (int plan = 2; plan <= 4; plan++) {
      assertThat(planner.plan(needs, plan * SECOND)).isEmpty();
    }
    assertThat(said(planner.plan(needs, 5 * SECOND)))
        .containsExactly("Start first 5", "Start second 5");
  }

  @Test
  void whatAHostHadBroughtThatIsLostIsBroughtAgain() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 400, 10);
    PrefetchNeed other = need("other", "small", "c", Set.of("b"), 400, 10);
    List<Command> commands = planner.plan(List.of(need, other), 0);
    commands.forEach(command -> planner.ended(command.flow().id(), End.ARRIVED, 0));
    planner.lost("a"::equals, 0);
    assertThat(planner.shares("small", "map", "a")).isEmpty();

    assertThat(said(planner.plan(List.of(need, other), 0))).containsExactly("Start map 40");
  }

  @Test
  void aCopyThatIsReadIsKnownForAsLongAsItComes() {
    long flow = started(need("map", "small", "a", Set.of("b"), 400, 10));
    planner.launched("small", "map", "a", SECOND);
    planner.reads("small", "map", 2 * SECOND);
    planner.progress(flow, 10, 199 * SECOND);
    planner.plan(List.of(), 200 * SECOND);
    assertThat(planner.target(flow)).contains("a");

    planner.plan(List.of(), 205 * SECOND);
    assertThat(planner.target(flow)).isEmpty();
  }

  @Test
  void aCopyThatHasComeWholeWhenItsTaskEndsIsNotCancelled() {
    long flow = started(need("map", "small", "a", Set.of("b"), 400, 10));
    planner.launched("small", "map", "a", SECOND);
    planner.left("small", "map");
    planner.plan(List.of(), SECOND);
    planner.ended(flow, End.ARRIVED, SECOND);

    for (int plan = 0; plan < 5; plan++) {
      assertThat(planner.plan(List.of(), SECOND)).isEmpty();
    }
  }

  @Test
  void aCopyWhoseTaskEndsWhileItReadsIsCancelledAfterAMoment() {
    long flow = started(need("map", "small", "a", Set.of("b"), 400, 10));
    planner.launched("small", "map", "a", SECOND);
    planner.left("small", "map");
    planner.progress(flow, 399, SECOND);
    assertThat(planner.plan(List.of(), SECOND)).isEmpty();
    assertThat(planner.plan(List.of(), SECOND)).isEmpty();

    assertThat(said(planner.plan(List.of(), SECOND))).containsExactly("Cancel flow of small");
    assertThat(planner.target(flow)).isEmpty();
    assertThat(planner.decisions()).extracting(Decision::outcome).endsWith(Outcome.NOT_NEEDED);
  }

  @Test
  void tasksOfTheSameNameBelongToTheirJobs() {
    PrefetchNeed large = need("map", "large", "a", Set.of("b"), 400, 10);
    started(large);

    assertThat(planner.plan(List.of(large, need("map", "small", "a", Set.of("b"), 400, 10)), 0))
        .hasOnlyElementsOfType(Start.class)
        .hasSize(1);
    assertThat(planner.flows()).hasSize(2);
  }

  @Test
  void ofEquallyCriticalOnesTheFirstLaunchedGoesFirstHoweverSoonTheOtherIsSaidToRead() {
    PrefetchNeed later =
        new PrefetchNeed("later", "small", "1", "a", Set.of("b"), 10, 6 * SECOND, 7 * SECOND);
    PrefetchNeed sooner =
        new PrefetchNeed("sooner", "small", "2", "c", Set.of("b"), 10, 5 * SECOND, 9 * SECOND);

    assertThat(planner.plan(List.of(later, sooner), 0))
        .extracting(command -> command.flow().target())
        .containsExactly("c", "a");
  }

  @Test
  void aTaskThatReadsTwoBlocksGetsBoth() {
    PrefetchNeed first =
        new PrefetchNeed("map", "small", "1", "a", Set.of("b"), 400, 10 * SECOND, 10 * SECOND);
    PrefetchNeed second =
        new PrefetchNeed("map", "small", "2", "a", Set.of("c"), 40, 10 * SECOND, 10 * SECOND);

    List<Command> commands = planner.plan(List.of(first, second), 0);

    assertThat(commands).hasOnlyElementsOfType(Start.class).hasSize(2);
    planner.ended(commands.get(0).flow().id(), End.ARRIVED, 0);
    planner.progress(commands.get(1).flow().id(), 10, 0);
    planner.launched("small", "map", "a", 0);
    planner.progress(commands.get(1).flow().id(), 20, 0);
    assertThat(planner.shares("small", "map", "a"))
        .containsExactlyInAnyOrder(new Share(400, 400, false), new Share(20, 40, false));
    assertThat(planner.target(commands.get(1).flow().id())).contains("a");
    planner.ended(commands.get(1).flow().id(), End.ARRIVED, 0);
    assertThat(planner.shares("small", "map", "a")).contains(new Share(40, 40, false));
  }

  @Test
  void aTaskThatHasItsContainerGetsWhatNobodyHadForetold() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 400, 10);

    assertThat(planner.shares("small", "map", "a")).isEmpty();
    assertThat(planner.confirm(need, 0)).hasOnlyElementsOfType(Start.class).hasSize(1);
    assertThat(planner.confirm(need, 0)).as("once").isEmpty();
    assertThat(planner.confirmedOutcomes()).isEqualTo(Map.of(Outcome.STARTED, 1L));
    assertThat(planner.outcomes()).isEmpty();
    for (int round = 0; round < 10; round++) {
      assertThat(planner.plan(List.of(), SECOND)).as("no prediction tells of it").isEmpty();
    }
    planner.reads("small", "map", SECOND);
    assertThat(planner.plan(List.of(), 182 * SECOND)).as("its reader may still need it").isEmpty();
    assertThat(planner.shares("small", "map", "a")).as("forgotten").isEmpty();
    assertThat(network.flows()).isEmpty();
  }

  @Test
  void aTaskThatHasItsContainerHasItsBlockBroughtAsItsReaderWouldFetchIt() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 4000, 10);

    assertThat(planner.plan(List.of(need), 0)).as("not in time").isEmpty();
    assertThat(said(planner.confirm(need, 0))).containsExactly("Start map " + Command.UNPACED);
    assertThat(network.flows()).isEmpty();
    assertThat(planner.confirm(need("late", "small", "a", Set.of("b"), 1, 10), 10 * SECOND))
        .isEmpty();
    assertThat(planner.confirm(need("far", "small", "a", Set.of("elsewhere"), 1, 10), 0)).isEmpty();
    assertThat(planner.confirmedOutcomes())
        .isEqualTo(Map.of(Outcome.STARTED, 1L, Outcome.TOO_LATE, 1L, Outcome.NO_REPLICA, 1L));
  }

  @Test
  void aTaskThatHasItsContainerGetsWhatItsSourceHasFailedToGiveFromAnother() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 400, 10);
    planner.ended(started(need), End.FAILED, 0);
    assertThat(planner.launched("small", "map", "a", 0)).isEmpty();

    List<Command> commands = planner.confirm(need, 0);
    assertThat(said(commands)).containsExactly("Start map " + Command.UNPACED);
    assertThat(commands.get(0).flow().source()).isEqualTo("c");
    assertThat(planner.confirm(need, 0)).as("it is on its way").isEmpty();
    assertThat(planner.shares("small", "map", "a")).containsExactly(new Share(0, 400, true));
    assertThat(planner.confirmedOutcomes()).isEqualTo(Map.of(Outcome.STARTED, 1L));
  }

  @Test
  void aTaskThatHasItsContainerGetsWhatTwoSourcesHaveFailedToGiveFromAThird() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c", "d"), 400, 10);
    planner.ended(started(need), End.FAILED, 0);
    assertThat(sourceThatFails(need, 0)).isEqualTo("c");

    assertThat(planner.confirm(need, 0))
        .extracting(command -> command.flow().source())
        .containsExactly("d");
  }

  @Test
  void aTaskThatHasItsContainerDoesNotGetWhatItsSourceHasJustFailedToGive() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 400, 10);
    planner.ended(started(need), End.FAILED, 0);

    assertThat(planner.confirm(need, 0)).isEmpty();
    assertThat(planner.confirmedOutcomes()).isEqualTo(Map.of(Outcome.NO_REPLICA, 1L));
    assertThat(planner.shares("small", "map", "a"))
        .as("what had come of it had been foretold")
        .containsExactly(new Share(0, 400, false));
  }

  @Test
  void aTaskThatHasItsContainerGetsNothingThatIsThereOrThatItsHostDoesNotTake() {
    PrefetchNeed here = need("here", "small", "a", Set.of("b"), 400, 10);
    PrefetchNeed declined = need("declined", "small", "a", Set.of("b"), 400, 10);
    planner.ended(started(here), End.ARRIVED, 0);
    planner.ended(started(declined), End.DECLINED, 0);

    assertThat(planner.confirm(here, 0)).isEmpty();
    assertThat(planner.confirm(declined, 0)).isEmpty();
    assertThat(planner.confirmedOutcomes()).isEmpty();
  }

  @Test
  void aCopyGoesAsFastAsItCanWhenItsTaskIsLaunched() {
    started(need("map", "small", "a", Set.of("b"), 400, 10));

    assertThat(said(planner.launched("small", "map", "a", 0)))
        .containsExactly("Pace flow of small " + Command.UNPACED);
    assertThat(planner.launched("small", "map", "a", 0)).as("once").isEmpty();
  }

  @Test
  void aCopyToWhereItsTaskIsNotLaunchedIsOfNoUse() {
    started(need("map", "small", "a", Set.of("b"), 400, 10));

    assertThat(said(planner.launched("small", "map", "c", 0)))
        .containsExactly("Cancel flow of small");
    assertThat(network.flows()).isEmpty();
    assertThat(planner.decisions()).extracting(Decision::outcome).endsWith(Outcome.NOT_NEEDED);
  }

  @Test
  void ratesThatHaveBecomeFreeGoToThoseWhoWereRefused() {
    PrefetchNeed first = need("first", "small", "a", Set.of("b"), 800, 10);
    PrefetchNeed second = need("second", "small", "a", Set.of("b"), 600, 10);
    List<Command> commands = planner.plan(List.of(first, second), 0);
    assertThat(said(commands)).containsExactly("Start first 80");

    planner.ended(commands.get(0).flow().id(), End.ARRIVED, 0);
    assertThat(said(planner.pace(0))).containsExactly("Start second 60");
    assertThat(planner.outcomes()).as("only plans are counted").containsEntry(Outcome.REFUSED, 1L);
  }

  private static List<String> said(List<Command> commands) {
    return commands.stream().map(PrefetchPlannerTest::said).toList();
  }

  private static String said(Command command) {
    if (command instanceof Start start) {
      return "Start %s %d".formatted(start.need().task(), start.rate());
    } else if (command instanceof Pace pace) {
      return "Pace flow of %s %d".formatted(pace.flow().job(), pace.rate());
    }
    return "Cancel flow of " + command.flow().job();
  }

  private long started(PrefetchNeed need) {
    List<Command> commands = planner.plan(List.of(need), 0);
    assertThat(commands).hasOnlyElementsOfType(Start.class).hasSize(1);
    return commands.get(0).flow().id();
  }

  @Test
  void aLocalTaskNeedsNothing() {
    assertThatThrownBy(() -> need("map", "small", "a", Set.of("a", "b"), 400, 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("block of map is on a");
  }

  private static PrefetchNeed need(
      String task, String job, String target, Set<String> replicas, long length, long seconds) {
    return new PrefetchNeed(
        task,
        job,
        "block of " + task,
        target,
        replicas,
        length,
        seconds * SECOND,
        seconds * SECOND);
  }
}
