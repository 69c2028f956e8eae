package io.orchestra.hadoop.prefetch.algorithm.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.core.topology.NetworkTree;
import io.orchestra.hadoop.prefetch.algorithm.flow.Cardinal.Mode;
import io.orchestra.hadoop.prefetch.algorithm.flow.Command.Cancel;
import io.orchestra.hadoop.prefetch.algorithm.flow.Command.Pace;
import io.orchestra.hadoop.prefetch.algorithm.flow.Command.Start;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.End;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Outcome;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Progress;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Share;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
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

  private final Map<String, Long> residual = new HashMap<>(Map.of("small", 1L, "large", 50L));
  private final Allotments network = new Allotments(NETWORK, 1, link -> 0);
  private final PrefetchPlanner planner =
      new PrefetchPlanner(network, residual::get, Mode.IMPROVED, false);

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
        .containsExactly("large STARTED", "large ABANDONED", "large REFUSED", "small STARTED");
    assertThat(planner.outcomes())
        .containsExactlyInAnyOrder(
            Outcome.STARTED, Outcome.ABANDONED, Outcome.REFUSED, Outcome.STARTED);
  }

  @Test
  void whatCannotComeInTimeIsNotStarted() {
    planner.plan(List.of(need("map", "small", "a", Set.of("b"), 2000, 10)), 0);
    planner.plan(List.of(need("late", "small", "a", Set.of("b"), 1, 10)), 10 * SECOND);
    planner.plan(List.of(need("far", "small", "a", Set.of("elsewhere"), 1, 10)), 0);

    assertThat(planner.flows()).isEmpty();
    assertThat(planner.outcomes())
        .containsExactlyInAnyOrder(Outcome.REFUSED, Outcome.TOO_LATE, Outcome.NO_REPLICA);
  }

  @Test
  void aDeadlineThatComesNearerRaisesTheRateAndProgressLowersIt() {
    planner.plan(List.of(need("map", "small", "a", Set.of("b"), 400, 10)), 0);

    List<Command> nearer = planner.plan(List.of(need("map", "small", "a", Set.of("b"), 400, 8)), 0);
    assertThat(nearer).extracting(command -> ((Pace) command).rate()).containsExactly(50L);

    planner.progress(nearer.get(0).flow().id(), 240);
    assertThat(planner.plan(List.of(need("map", "small", "a", Set.of("b"), 400, 8)), 0))
        .extracting(command -> ((Pace) command).rate())
        .containsExactly(20L);
  }

  @Test
  void aLatePrefetchGoesOnAsItIs() {
    planner.plan(List.of(need("map", "small", "a", Set.of("b"), 400, 10)), 0);

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
    planner.ended(flow, End.ARRIVED);
    planner.ended(flow, End.ARRIVED);
    planner.progress(flow, 10);

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
    planner.launched("large", "map", "a");

    assertThat(network.flows()).isEmpty();
    assertThat(planner.plan(List.of(need), SECOND)).as("a prediction that is late").isEmpty();
    assertThat(planner.plan(List.of(need("other", "small", "a", Set.of("b"), 900, 11)), SECOND))
        .hasOnlyElementsOfType(Start.class);
    planner.ended(flow, End.ARRIVED);
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
    planner.ended(started(need), End.FAILED);

    List<Command> again = planner.plan(List.of(need), 0);
    assertThat(again).extracting(command -> command.flow().source()).containsExactly("c");
    planner.ended(again.get(0).flow().id(), End.FAILED);
    assertThat(planner.plan(List.of(need), 0)).isEmpty();
  }

  @Test
  void aTargetThatDeclinesIsNotAskedAgain() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 400, 10);
    planner.ended(started(need), End.DECLINED);

    assertThat(planner.plan(List.of(need), SECOND)).isEmpty();
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
  void aTaskThatReadsTwoBlocksGetsBoth() {
    PrefetchNeed first = new PrefetchNeed("map", "small", "1", "a", Set.of("b"), 400, 10 * SECOND);
    PrefetchNeed second = new PrefetchNeed("map", "small", "2", "a", Set.of("c"), 40, 10 * SECOND);

    List<Command> commands = planner.plan(List.of(first, second), 0);

    assertThat(commands).hasOnlyElementsOfType(Start.class).hasSize(2);
    planner.ended(commands.get(0).flow().id(), End.ARRIVED);
    planner.progress(commands.get(1).flow().id(), 10);
    planner.launched("small", "map", "a");
    planner.progress(commands.get(1).flow().id(), 20);
    assertThat(planner.shares("small", "map", "a"))
        .containsExactlyInAnyOrder(new Share(400, 400, false), new Share(20, 40, false));
    assertThat(planner.target(commands.get(1).flow().id())).contains("a");
    planner.ended(commands.get(1).flow().id(), End.ARRIVED);
    assertThat(planner.shares("small", "map", "a")).contains(new Share(40, 40, false));
  }

  @Test
  void aTaskThatHasItsContainerGetsWhatNobodyHadForetold() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 400, 10);

    assertThat(planner.shares("small", "map", "a")).isEmpty();
    assertThat(planner.confirm(need, 0)).hasOnlyElementsOfType(Start.class).hasSize(1);
    assertThat(planner.confirm(need, 0)).as("once").isEmpty();
    assertThat(planner.confirmedOutcomes()).containsExactly(Outcome.STARTED);
    assertThat(planner.outcomes()).isEmpty();
    for (int round = 0; round < 10; round++) {
      assertThat(planner.plan(List.of(), SECOND)).as("no prediction tells of it").isEmpty();
    }
    assertThat(planner.plan(List.of(), 100 * SECOND))
        .as("nobody said that it has ended")
        .hasOnlyElementsOfType(Cancel.class)
        .hasSize(1);
    assertThat(network.flows()).isEmpty();
  }

  @Test
  void aTaskThatHasItsContainerGetsWhatIsFreeIfThatIsNotEnough() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 4000, 10);

    assertThat(planner.plan(List.of(need), 0)).isEmpty();
    assertThat(planner.confirm(need, 0))
        .singleElement()
        .isInstanceOfSatisfying(Start.class, start -> assertThat(start.rate()).isEqualTo(100));
    assertThat(planner.confirm(need("other", "small", "a", Set.of("b"), 400, 10), 0)).isEmpty();
  }

  @Test
  void allOfALinkGoesToTheNextDeadlineAndOthersWaitForTheirTurn() {
    PrefetchPlanner generous = generous();
    PrefetchNeed first = need("first", "large", "a", Set.of("b"), 200, 10);
    PrefetchNeed second = need("second", "large", "a", Set.of("b"), 300, 20);

    assertThat(said(generous.plan(List.of(first, second), 0))).containsExactly("Start first 100");
    assertThat(generous.progress()).extracting(Progress::rate).containsExactly(100L);
    assertThat(network.flows()).as("both have been admitted").hasSize(2);
    PrefetchNeed third = need("third", "small", "a", Set.of("b"), 600, 10);
    assertThat(said(generous.plan(List.of(first, second, third), 0)))
        .as("of the same deadline, and nearly the last of its job")
        .containsExactly("Start third 100", "Pace flow of large 1");
    generous.ended(generous.progress().get(0).flow().id(), End.ARRIVED);
    generous.ended(generous.progress().get(0).flow().id(), End.ARRIVED);
    assertThat(said(generous.plan(List.of(second), SECOND))).containsExactly("Start second 100");
    assertThat(generous.outcomes())
        .as("who waits has not been refused")
        .containsOnly(Outcome.STARTED);
  }

  @Test
  void whatCannotComeInTimeBeginsNeverthelessIfALinkIsFree() {
    PrefetchPlanner generous = generous();
    PrefetchNeed late = need("late", "small", "a", Set.of("b"), 2000, 10);

    assertThat(said(generous.plan(List.of(late), 0))).containsExactly("Start late 100");
    assertThat(network.flows()).as("it has no guarantee").isEmpty();
    PrefetchNeed later = need("later", "small", "a", Set.of("b"), 3000, 20);
    assertThat(generous.plan(List.of(late, later), 0)).isEmpty();
    assertThat(generous.outcomes().count(Outcome.REFUSED)).isEqualTo(1);
  }

  @Test
  void whoLosesItsRateToACriticalOneGoesOnWithWhatIsLeft() {
    PrefetchPlanner generous = generous();
    PrefetchNeed large = need("large map", "large", "a", Set.of("b"), 800, 10);
    generous.plan(List.of(large), 0);
    PrefetchNeed small = need("small map", "small", "a", Set.of("b"), 400, 5);

    assertThat(said(generous.plan(List.of(large, small), 0)))
        .containsExactly("Start small map 100", "Pace flow of large 1");
    assertThat(network.flows()).extracting(PrefetchFlow::job).containsExactly("small");
    assertThat(generous.outcomes().count(Outcome.ABANDONED)).isEqualTo(1);
  }

  @Test
  void whoWaitsForItsTurnIsDroppedWithoutAWord() {
    PrefetchPlanner generous = generous();
    PrefetchNeed first = need("first", "large", "a", Set.of("b"), 200, 10);
    PrefetchNeed second = need("second", "large", "a", Set.of("b"), 300, 20);
    generous.plan(List.of(first, second), 0);

    assertThat(generous.launched("large", "second", "a")).isEmpty();
    assertThat(generous.shares("large", "second", "a")).as("nobody brings it").isEmpty();
    assertThat(network.flows()).hasSize(1);
    generous.plan(List.of(first, second), 0);
    PrefetchNeed elsewhere = need("second", "large", "c", Set.of("b"), 300, 20);
    assertThat(said(generous.plan(List.of(first, elsewhere), 0))).isEmpty();
    assertThat(generous.outcomes().count(Outcome.NOT_NEEDED)).isEqualTo(1);
    assertThat(generous.plan(List.of(first, elsewhere), 20 * SECOND))
        .as("too late for it, too")
        .isEmpty();
    assertThat(generous.outcomes().count(Outcome.TOO_LATE)).isEqualTo(2);
  }

  @Test
  void aReplicaFarAwayIsTakenIfItGivesTheBlockSooner() {
    PrefetchNeed queued = need("queued", "large", "d", Set.of("b"), 500, 10);
    planner.plan(List.of(queued), 0);

    List<Command> commands =
        planner.plan(List.of(queued, need("map", "large", "a", Set.of("b", "c"), 100, 10)), 0);
    assertThat(commands).extracting(command -> command.flow().source()).containsExactly("c");
  }

  @Test
  void aCopyGoesAsFastAsItCanWhenItsTaskIsLaunched() {
    long flow = started(need("map", "small", "a", Set.of("b"), 400, 10));

    assertThat(planner.launched("small", "map", "a"))
        .singleElement()
        .isInstanceOfSatisfying(
            Pace.class,
            pace -> {
              assertThat(pace.flow().id()).isEqualTo(flow);
              assertThat(pace.rate()).isEqualTo(Command.UNPACED);
            });
    assertThat(planner.launched("small", "map", "a")).as("once").isEmpty();
  }

  private PrefetchPlanner generous() {
    return new PrefetchPlanner(network, residual::get, Mode.IMPROVED, true);
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

  @Property
  void whateverIsPredictedCommandsAndBooksAgreeAndLinksAreNeverOverfull(@ForAll long seed) {
    Random random = new Random(seed);
    Allotments books = new Allotments(NETWORK, 1, link -> 0);
    PrefetchPlanner any =
        new PrefetchPlanner(books, job -> job.hashCode() % 5, Mode.IMPROVED, random.nextBoolean());
    Map<Long, Long> told = new HashMap<>();
    long now = 0;
    for (int round = 0; round < 12; round++) {
      now += random.nextInt(2000) * 1_000_000L;
      for (Command command : any.plan(needs(random, now), now)) {
        apply(command, told);
      }
      for (Long flow : List.copyOf(told.keySet())) {
        if (random.nextInt(4) == 0) {
          any.ended(flow, End.values()[random.nextInt(3)]);
          told.remove(flow);
        } else {
          any.progress(flow, random.nextInt(300));
        }
      }
      assertThat(any.progress())
          .extracting(progress -> progress.flow().id())
          .hasSameElementsAs(told.keySet());
      assertThat(told.values()).allMatch(rate -> rate > 0);
      for (PrefetchFlow flow : any.flows()) {
        for (Link link : books.path(flow)) {
          assertThat(books.capacity(link)).isNotNegative();
          // Changes by less than a tenth are not told.
          assertThat(any.told(link))
              .as("%s", link)
              .isLessThanOrEqualTo(link.capacity() * 112 / 100 + 3);
        }
      }
    }
  }

  private static void apply(Command command, Map<Long, Long> told) {
    long flow = command.flow().id();
    if (command instanceof Start start) {
      assertThat(told.put(flow, start.rate())).as("started twice").isNull();
    } else if (command instanceof Pace pace) {
      assertThat(told.put(flow, pace.rate())).as("paced before it started").isNotNull();
    } else {
      assertThat(told.remove(flow)).as("cancelled before it started").isNotNull();
    }
  }

  private static List<PrefetchNeed> needs(Random random, long now) {
    List<String> hosts = List.of("a", "b", "c", "d");
    List<PrefetchNeed> needs = new ArrayList<>();
    Set<String> tasks = new HashSet<>();
    for (int number = 0; number < random.nextInt(8); number++) {
      String task = "map" + random.nextInt(10);
      String target = hosts.get(random.nextInt(4));
      String source = hosts.get(random.nextInt(4));
      if (!source.equals(target) && tasks.add(task)) {
        long deadline = now + random.nextInt(10_000) * 1_000_000L;
        needs.add(
            new PrefetchNeed(
                task,
                "job" + task.hashCode() % 3,
                "block of " + task,
                target,
                Set.of(source),
                1L + random.nextInt(300),
                deadline));
      }
    }
    return needs;
  }

  private static PrefetchNeed need(
      String task, String job, String target, Set<String> replicas, long length, long seconds) {
    return new PrefetchNeed(
        task, job, "block of " + task, target, replicas, length, seconds * SECOND);
  }
}
