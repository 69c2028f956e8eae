package io.orchestra.hadoop.prefetch.algorithm.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.orchestra.hadoop.core.topology.Direction;
import io.orchestra.hadoop.core.topology.NetworkTree;
import io.orchestra.hadoop.prefetch.algorithm.flow.Cardinal.Mode;
import io.orchestra.hadoop.prefetch.algorithm.flow.Command.Pace;
import io.orchestra.hadoop.prefetch.algorithm.flow.Command.Start;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.End;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Outcome;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Progress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PreemptiveRatesTest {
  private static final long SECOND = 1_000_000_000;
  private static final NetworkTree NETWORK =
      NetworkTree.builder()
          .host("a", "/r1", 100)
          .host("b", "/r1", 100)
          .host("c", "/r2", 100)
          .host("d", "/r2", 100)
          .switchCapacity("/r1", 200)
          .switchCapacity("/r2", 200)
          .build();

  /** The link of the first rack carries half of what its hosts can send. */
  private static final NetworkTree HALF =
      NetworkTree.builder()
          .host("a", "/r1", 100)
          .host("b", "/r1", 100)
          .host("c", "/r2", 100)
          .host("d", "/r2", 100)
          .switchCapacity("/r1", 100)
          .switchCapacity("/r2", 200)
          .build();

  private final Map<String, Long> residual =
      new HashMap<>(Map.of("slow", 1L, "small", 1L, "large", 50L));
  private final Map<String, Long> others = new HashMap<>();
  private final Allotments network =
      new Allotments(NETWORK, 1, link -> others.getOrDefault(link.node(), 0L));
  private final PrefetchPlanner planner =
      new PrefetchPlanner(network, residual::get, Mode.PREEMPTIVE, 0);

  @Test
  void allOfALinkGoesToTheNextLaunchAndTheOthersWaitForTheirTurn() {
    PrefetchNeed first = need("first", "large", "a", Set.of("b"), 200, 10);
    PrefetchNeed second = need("second", "large", "a", Set.of("b"), 300, 20);
    List<Command> begun = planner.plan(List.of(second, first), 0);
    assertThat(said(begun)).containsExactly("Start first 100");
    assertThat(planner.waiting()).containsExactly(second);
    assertThat(planner.waitingFor()).isEqualTo(Map.of(Waiting.TURN, 1L));

    PrefetchNeed third = need("third", "small", "a", Set.of("b"), 600, 8);
    assertThat(planner.plan(List.of(first, second, third), 0))
        .as("not sooner by enough to take a link away")
        .isEmpty();
    PrefetchNeed sooner = need("third", "small", "a", Set.of("b"), 600, 6);
    List<Command> commands = planner.plan(List.of(first, second, sooner), 0);
    assertThat(said(commands)).containsExactly("Start third 100", "Pace large 1");
    assertThat(planner.plan(List.of(first, second, sooner), SECOND)).isEmpty();

    planner.ended(commands.get(0).flow().id(), End.ARRIVED, SECOND);
    assertThat(said(planner.pace(SECOND))).containsExactly("Pace large 100");
    planner.ended(begun.get(0).flow().id(), End.ARRIVED, SECOND);
    assertThat(said(planner.pace(SECOND))).containsExactly("Start second 100");
    assertThat(planner.waiting()).isEmpty();
    assertThat(planner.outcomes())
        .as("to wait is no outcome")
        .isEqualTo(Map.of(Outcome.STARTED, 3L, Outcome.DEADLINE_MET, 2L));
  }

  @Test
  void ofTasksThatAreLaunchedTogetherTheMostCriticalGoesFirst() {
    PrefetchNeed large = need("first", "large", "a", Set.of("b"), 200, 10);
    PrefetchNeed small = need("second", "small", "a", Set.of("b"), 300, 10);

    assertThat(said(planner.plan(List.of(large, small), 0))).containsExactly("Start second 100");
  }

  @Test
  void aCopyGoesOnFromAnotherReplicaThatHasMuchMore() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 2000, 60);
    PrefetchFlow flow = planner.plan(List.of(need), 0).get(0).flow();
    assertThat(flow.source()).isEqualTo("b");

    others.put("b", 51L);
    assertThat(said(planner.plan(List.of(need), 2 * SECOND)))
        .as("that may last for a moment only")
        .containsExactly("Pace small 49");
    others.put("b", 50L);
    assertThat(planner.plan(List.of(need), 3 * SECOND)).as("not twice as much").isEmpty();
    others.put("b", 51L);
    List<Command> commands = planner.plan(List.of(need), 3 * SECOND);
    assertThat(said(commands)).containsExactly("Start map 100");
    assertThat(((Start) commands.get(0)).before()).hasValue(flow);
    assertThat(commands.get(0).flow().source()).isEqualTo("c");
    assertThat(planner.target(flow.id())).as("nobody is told of it any more").isEmpty();
    assertThat(planner.outcomes()).containsEntry(Outcome.REROUTED, 1L);
    assertThat(network.rate(flow)).isZero();

    planner.ended(commands.get(0).flow().id(), End.FAILED, 4 * SECOND);
    assertThat(planner.pace(4 * SECOND))
        .as("the other is the one that does not give it")
        .extracting(command -> command.flow().source())
        .containsExactly("b");
  }

  @Test
  void aCopyComesBackToAReplicaThatItHasLeftOnlyIfThatWasLost() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 2000, 60);
    PrefetchFlow flow = planner.plan(List.of(need), 0).get(0).flow();
    assertThat(flow.source()).isEqualTo("b");
    others.put("b", 51L);
    assertThat(said(planner.plan(List.of(need), 2 * SECOND))).containsExactly("Pace small 49");
    assertThat(planner.plan(List.of(need), 3 * SECOND))
        .extracting(command -> command.flow().source())
        .containsExactly("c");

    others.put("b", 0L);
    others.put("c", 51L);
    assertThat(said(planner.plan(List.of(need), 5 * SECOND))).containsExactly("Pace small 49");
    assertThat(planner.plan(List.of(need), 7 * SECOND))
        .extracting(command -> command.flow().source())
        .doesNotContain("b");
    planner.forgive("b"::equals);
    assertThat(planner.plan(List.of(need), 7 * SECOND))
        .extracting(command -> command.flow().source())
        .containsExactly("b");
  }

  @Test
  void whetherABlockHasComeInTimeIsCounted() {
    PrefetchNeed soon = need("first", "small", "a", Set.of("b"), 200, 10);
    PrefetchNeed late = need("second", "small", "d", Set.of("c"), 200, 20);
    List<Command> commands = planner.plan(List.of(soon, late), 0);
    planner.ended(commands.get(0).flow().id(), End.ARRIVED, soon.deadline());
    planner.ended(commands.get(1).flow().id(), End.ARRIVED, late.deadline() + 1);

    assertThat(planner.outcomes())
        .isEqualTo(
            Map.of(Outcome.STARTED, 2L, Outcome.DEADLINE_MET, 1L, Outcome.DEADLINE_MISSED, 1L));
  }

  @Test
  void forTheLastBytesNoOtherReplicaIsAsked() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 2000, 60);
    long flow = planner.plan(List.of(need), 0).get(0).flow().id();
    planner.progress(flow, 1980, 3 * SECOND);
    others.put("b", 90L);
    assertThat(said(planner.plan(List.of(need), 3 * SECOND))).containsExactly("Pace small 10");

    assertThat(planner.plan(List.of(need), 4 * SECOND)).as("20 at 10 a second").isEmpty();
  }

  @Test
  void whatATaskReadsGoesOnFromAReplicaThatHasMuchMore() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 2000, 60);
    long flow = planner.plan(List.of(need), 0).get(0).flow().id();
    planner.launched("small", "map", "a", 0);
    planner.progress(flow, 0, SECOND);
    planner.progress(flow, 98, 3 * SECOND);

    List<Command> commands = planner.pace(3 * SECOND);
    assertThat(said(commands)).containsExactly("Start map 0");
    assertThat(commands.get(0).flow().source()).isEqualTo("c");
    assertThat(planner.progress()).extracting(PrefetchPlanner.Progress::reading).containsOnly(true);
    assertThat(planner.pace(4 * SECOND)).as("it has had no time to show").isEmpty();
  }

  @Test
  void whereItGoesOnItIsKeptForAsLongAsItsTaskHasNotBegunToRead() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 2000, 60);
    long flow = planner.plan(List.of(need), 0).get(0).flow().id();
    planner.launched("small", "map", "a", 0);
    planner.progress(flow, 0, 33 * SECOND);
    planner.progress(flow, 98, 35 * SECOND);

    List<Command> commands = planner.plan(List.of(), 35 * SECOND);
    assertThat(said(commands)).containsExactly("Start map 0");
    assertThat(postponed())
        .containsExactly(new Pace(commands.get(0).flow(), Command.UNPACED, 155 * SECOND, true));
  }

  /** Both would be moved to the idle link, where they would share again. */
  @Test
  void ofTwoThatShareASourceOneGoesElsewhere() {
    PrefetchNeed one = need("one", "small", "a", Set.of("b", "d"), 2000, 60);
    PrefetchNeed other = need("other", "large", "c", Set.of("b", "d"), 2000, 60);
    long first = planner.plan(List.of(one), 0).get(0).flow().id();
    planner.launched("small", "one", "a", 0);
    others.put("d", 99L);
    planner.progress(first, 0, 0);
    planner.progress(first, 50, SECOND);
    long second = planner.plan(List.of(other), SECOND).get(0).flow().id();
    assertThat(planner.flows().get(0).source()).isEqualTo("b");
    planner.launched("large", "other", "c", SECOND);
    for (long now = 2; now < 5; now++) {
      planner.progress(first, 50 * now, now * SECOND);
      planner.progress(second, 50 * now, now * SECOND);
    }
    others.remove("d");

    assertThat(said(planner.pace(5 * SECOND))).containsExactly("Start other 0");
  }

  @Test
  void whatLinksHaveLeftGoesToTheNext() {
    others.put("b", 70L);

    assertThat(
            said(
                planner.plan(
                    List.of(
                        need("first", "large", "a", Set.of("b"), 200, 10),
                        need("second", "large", "a", Set.of("c"), 300, 20)),
                    0)))
        .containsExactly("Start first 30", "Start second 70");
  }

  @Test
  void whatCannotComeInTimeBeginsNeverthelessButNotForATenthOfIt() {
    PrefetchNeed late = need("late", "small", "a", Set.of("b"), 2000, 10);
    assertThat(said(planner.plan(List.of(late), 0))).containsExactly("Start late 100");

    others.put("c", 91L);
    PrefetchNeed tooMuch = need("too much", "small", "d", Set.of("c"), 1000, 10);
    assertThat(planner.plan(List.of(late, tooMuch), 0)).isEmpty();
    others.put("c", 90L);
    assertThat(said(planner.plan(List.of(late, tooMuch), 0))).containsExactly("Start too much 10");
  }

  @Test
  void otherTrafficIsLeftAloneByThoseOnTheirWayToo() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 900, 10);
    planner.plan(List.of(need), 0);

    others.put("a", 60L);
    assertThat(said(planner.plan(List.of(need), SECOND))).containsExactly("Pace small 40");
    others.put("a", 61L);
    assertThat(planner.plan(List.of(need), SECOND)).as("not worth a message").isEmpty();
    others.put("a", 130L);
    assertThat(said(planner.plan(List.of(need), SECOND)))
        .as("it stands still and keeps what has come")
        .containsExactly("Pace small 1");
  }

  @Test
  void aReplicaFarAwayIsTakenIfItGivesTheBlockSooner() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 500, 10);

    others.put("b", 9L);
    assertThat(source(need)).as("nearly as soon").isEqualTo("b");
    others.put("b", 20L);
    assertThat(source(need)).isEqualTo("c");
    others.put("c", 20L);
    assertThat(source(need)).isEqualTo("b");
  }

  /** Its bytes would take half of what two other hosts of the rack could send. */
  @Test
  void anOversubscribedLinkMustGiveMore() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 200, 60);

    others.put("b", 49L);
    assertThat(source(HALF, need)).isEqualTo("b");
    assertThat(source(need)).isEqualTo("c");
    others.put("b", 76L);
    assertThat(source(HALF, need)).as("24 of 100, nearly a quarter").isEqualTo("b");
    assertThat(source(need)).isEqualTo("c");
    others.put("b", 80L);
    assertThat(source(HALF, need)).isEqualTo("c");
  }

  private String source(PrefetchNeed need) {
    return source(NETWORK, need);
  }

  private String source(NetworkTree tree, PrefetchNeed need) {
    return sources(planner(tree).plan(List.of(need), 0)).get(0);
  }

  private PrefetchPlanner planner(NetworkTree tree) {
    return new PrefetchPlanner(
        new Allotments(tree, 1, link -> others.getOrDefault(link.node(), 0L)),
        residual::get,
        Mode.PREEMPTIVE,
        0);
  }

  private static List<String> sources(List<Command> commands) {
    return commands.stream().map(command -> command.flow().source()).toList();
  }

  @Test
  void aBlockBeginsFromWhereItGetsEnoughThoughAnotherReplicaCountsForMore() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 600, 10);

    others.put("b", 70L);
    assertThat(source(HALF, need)).as("half of what it needs").isEqualTo("b");
    others.put("b", 71L);
    assertThat(source(HALF, need)).isEqualTo("c");
  }

  @Test
  void aBlockForATaskThatStartsComesFromWhereItGetsEnough() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 900, 10);

    others.put("b", 55L);
    assertThat(sources(planner(HALF).confirm(need, 0))).as("half of 90").containsExactly("b");
    others.put("b", 56L);
    assertThat(sources(planner(HALF).confirm(need, 0))).containsExactly("c");
    others.put("c", 20L);
    others.put("b", 60L);
    assertThat(sources(planner(HALF).confirm(need, 0)))
        .as("half of the 80 that there are")
        .containsExactly("b");
  }

  @Test
  void whatIsLateMovesForLessOnceItsTaskReads() {
    for (boolean reads : List.of(false, true)) {
      PrefetchPlanner half = planner(HALF);
      PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 2000, 10);
      PrefetchFlow flow = half.plan(List.of(need), 0).get(0).flow();
      assertThat(flow.source()).isEqualTo("b");
      half.launched("small", "map", "a", 0);
      if (reads) {
        half.reads("small", "map", SECOND);
      }
      half.progress(flow.id(), 0, SECOND);
      half.progress(flow.id(), 15 * 10, 11 * SECOND);

      assertThat(sources(half.pace(11 * SECOND)))
          .as("15 of 100, more than an eighth")
          .isEqualTo(reads ? List.of("c") : List.of());
    }
  }

  @Test
  void whatWillBeLateMovesThoughItWillBeLateThereToo() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 2000, 10);
    PrefetchFlow flow = planner.plan(List.of(need), 0).get(0).flow();
    assertThat(flow.source()).isEqualTo("b");
    planner.launched("small", "map", "a", 0);
    planner.progress(flow.id(), 0, SECOND);
    planner.progress(flow.id(), 45 * 4, 5 * SECOND);

    assertThat(sources(planner.pace(5 * SECOND)))
        .as("100 of the 364 that it would need")
        .containsExactly("c");
  }

  @Test
  void aCopyMovesOverAnOversubscribedLinkOnlyForSoMuchMore() {
    PrefetchPlanner half = planner(HALF);
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 500, 60);
    assertThat(sources(half.plan(List.of(need), 0))).containsExactly("b");

    others.put("b", 87L);
    assertThat(said(half.plan(List.of(need), 3 * SECOND)))
        .as("13 of 100, more than an eighth")
        .containsExactly("Pace small 13");
    assertThat(half.plan(List.of(need), 3 * SECOND)).as("nor when that was told").isEmpty();
    others.put("b", 88L);
    assertThat(sources(half.plan(List.of(need), 3 * SECOND))).containsExactly("c");
  }

  @Test
  void whatWouldBeLateByFarMovesForLess() {
    PrefetchPlanner half = planner(HALF);
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 2000, 63);
    assertThat(sources(half.plan(List.of(need), 0))).containsExactly("b");

    others.put("b", 83L);
    assertThat(said(half.plan(List.of(need), 3 * SECOND)))
        .as("half of 2000 in 60 seconds")
        .containsExactly("Pace small 17");
    assertThat(half.plan(List.of(need), 3 * SECOND)).as("nor when that was told").isEmpty();
    others.put("b", 85L);
    assertThat(sources(half.plan(List.of(need), 3 * SECOND))).containsExactly("c");
  }

  @Test
  void aCopyComesOutOfAnOversubscribedLinkOnlyForMuchMore() {
    PrefetchPlanner half = planner(HALF);
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 500, 60);
    others.put("b", 100L);
    assertThat(sources(half.plan(List.of(need), 0))).containsExactly("c");

    others.put("c", 60L);
    others.put("b", 20L);
    assertThat(said(half.plan(List.of(need), 3 * SECOND)))
        .as("twice as much")
        .containsExactly("Pace small 40");
    assertThat(half.plan(List.of(need), 3 * SECOND)).as("nor when that was told").isEmpty();
    others.put("b", 19L);
    assertThat(sources(half.plan(List.of(need), 3 * SECOND))).containsExactly("b");
  }

  @Test
  void aCopyBeginsOnceItsLaunchHasBeenForetoldForPartOfTheTimeLeft() {
    PrefetchPlanner steady = new PrefetchPlanner(network, residual::get, Mode.PREEMPTIVE, 0.5);
    PrefetchNeed here = need("map", "small", "a", Set.of("b"), 2000, 60);
    PrefetchNeed there = need("map", "small", "c", Set.of("b"), 2000, 60);
    PrefetchNeed sudden = need("next", "small", "d", Set.of("c"), 2000, 23);

    assertThat(steady.plan(List.of(here), 0)).isEmpty();
    assertThat(steady.waiting()).containsExactly(here);
    assertThat(steady.waitingFor()).isEqualTo(Map.of(Waiting.STEADINESS, 1L));
    assertThat(steady.plan(List.of(here), 19 * SECOND)).as("and 41 seconds are left").isEmpty();
    assertThat(steady.plan(List.of(there), 19 * SECOND)).isEmpty();
    assertThat(steady.plan(List.of(here, sudden), 20 * SECOND)).as("it was elsewhere").isEmpty();
    assertThat(said(steady.plan(List.of(here, sudden), 21 * SECOND)))
        .as("a launch that is near is not waited for")
        .containsExactly("Start next 100");
    assertThat(said(steady.pace(34 * SECOND)))
        .as("14 and 26 seconds")
        .containsExactly("Start map 100");

    PrefetchNeed later = need("map", "small", "a", Set.of("b"), 2000, 300);
    assertThat(steady.plan(List.of(later), 35 * SECOND)).as("what has begun goes on").isEmpty();
    assertThat(steady.flows()).extracting(PrefetchFlow::target).contains("a");
    assertThat(steady.outcomes()).containsOnlyKeys(Outcome.STARTED);
  }

  @Test
  void aSourceIsChosenWhenACopyBegins() {
    PrefetchNeed first = need("first", "small", "a", Set.of("b"), 500, 10);
    PrefetchNeed second = need("second", "large", "a", Set.of("b", "c"), 500, 10);
    List<Command> commands = planner.plan(List.of(first, second), 0);
    assertThat(said(commands)).containsExactly("Start first 100");

    planner.ended(commands.get(0).flow().id(), End.ARRIVED, SECOND);
    others.put("b", 90L);
    assertThat(planner.pace(SECOND))
        .extracting(command -> command.flow().source())
        .containsExactly("c");
  }

  @Test
  void nobodyWaitsForOneThatIsHeldUpElsewhere() {
    PrefetchNeed slow = need("slow", "slow", "a", Set.of("c"), 5000, 60);
    PrefetchNeed other = need("other", "large", "a", Set.of("b"), 500, 60);
    long flow = planner.plan(List.of(slow, other), 0).get(0).flow().id();
    planner.progress(flow, 0, SECOND);
    planner.progress(flow, 20, 3 * SECOND);

    assertThat(said(planner.plan(List.of(slow, other), 3 * SECOND)))
        .as("it has had a tenth of the link")
        .containsExactly("Start other 84");

    others.put("a", 30L);
    assertThat(said(planner.plan(List.of(slow, other), 3 * SECOND)))
        .as("at another rate it is held up as well")
        .containsExactly("Pace slow 70", "Pace large 54");
    planner.progress(flow, 20, 4 * SECOND);
    planner.progress(flow, 100, 6 * SECOND);
    assertThat(said(planner.plan(List.of(slow, other), 6 * SECOND)))
        .as("it goes on, and comes first again")
        .containsExactly("Pace large 9");
  }

  @Test
  void oneThatHasComeWholeIsNotTakenForHeldUpUntilItsEndIsKnown() {
    PrefetchNeed whole = need("first", "small", "a", Set.of("c"), 120, 60);
    PrefetchNeed other = need("second", "large", "a", Set.of("b"), 5000, 60);
    long flow = planner.plan(List.of(whole, other), 0).get(0).flow().id();

    planner.progress(flow, 100, SECOND);
    planner.progress(flow, 120, 3 * SECOND);
    assertThat(planner.plan(List.of(whole, other), 3 * SECOND)).isEmpty();
    assertThat(planner.carried("c", Direction.UP, SECOND, 3 * SECOND))
        .as("what it had, for all else was other traffic")
        .isEqualTo(10);
    planner.ended(flow, End.ARRIVED, 3 * SECOND);
    assertThat(said(planner.pace(3 * SECOND))).containsExactly("Start second 100");
  }

  @Test
  void aSlowOneIsNotTakenForHeldUpBetweenTwoOfItsPieces() {
    long piece = 256 << 10;
    NetworkTree slow =
        NetworkTree.builder()
            .host("a", "/r1", 200_000)
            .host("b", "/r1", 200_000)
            .host("c", "/r1", 200_000)
            .build();
    PrefetchPlanner ofSlow =
        new PrefetchPlanner(new Allotments(slow, 1, link -> 0), residual::get, Mode.PREEMPTIVE, 0);
    PrefetchNeed one = need("slow", "slow", "a", Set.of("c"), 40 * piece, 60);
    PrefetchNeed other = need("other", "large", "a", Set.of("b"), 40 * piece, 60);
    long flow = ofSlow.plan(List.of(one, other), 0).get(0).flow().id();
    ofSlow.progress(flow, 0, 0);
    for (int half = 1; half < 16; half++) {
      // A piece takes 1.3 s.
      ofSlow.progress(flow, half * 100_000L / piece * piece, half * SECOND / 2);
      assertThat(ofSlow.pace(half * SECOND / 2)).as("after %s half seconds", half).isEmpty();
    }

    ofSlow.progress(flow, 5 * piece, 10 * SECOND);
    ofSlow.progress(flow, 5 * piece, 13 * SECOND);
    assertThat(said(ofSlow.pace(13 * SECOND))).as("nothing comes").hasSize(1);
  }

  @Test
  void devicesGuaranteeWhatBeingInTimeNeedsAndNoMore() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b"), 500, 10);
    PrefetchFlow flow = planner.plan(List.of(need), 0).get(0).flow();
    assertThat(network.rate(flow)).as("of 100").isEqualTo(50);

    planner.progress(flow.id(), 100, SECOND);
    others.put("b", 20L);
    assertThat(said(planner.plan(List.of(need), 2 * SECOND))).containsExactly("Pace small 80");
    assertThat(network.rate(flow)).as("400 in 8 s").isEqualTo(50);
    others.put("b", 60L);
    planner.plan(List.of(need), 4 * SECOND);
    assertThat(network.rate(flow)).as("400 in 6 s would be 67").isEqualTo(40);
    others.put("b", 0L);
    planner.progress(flow.id(), 100, 11 * SECOND);
    planner.plan(List.of(need), 11 * SECOND);
    assertThat(network.rate(flow)).as("it is late").isEqualTo(40);
  }

  @Test
  void whatWasToldAndWhatHasComeSayWhatIsOtherTraffic() {
    PrefetchNeed need = need("map", "small", "a", Set.of("c"), 5000, 60);
    long flow = planner.plan(List.of(need), 0).get(0).flow().id();
    assertThat(planner.carried("a", Direction.DOWN, 0, SECOND)).isEqualTo(100);
    assertThat(planner.carried("c", Direction.UP, -SECOND, SECOND)).isEqualTo(50);
    assertThat(planner.carried("a", Direction.UP, 0, SECOND)).isZero();

    planner.progress(flow, 10, SECOND);
    planner.progress(flow, 110, 3 * SECOND);
    assertThat(planner.carried("a", Direction.DOWN, 2 * SECOND, 3 * SECOND)).isEqualTo(50);
    planner.launched("small", "map", "a", 3 * SECOND);
    assertThat(planner.carried("a", Direction.DOWN, 2 * SECOND, 4 * SECOND))
        .as("also while its map reads")
        .isEqualTo(50);
    planner.ended(flow, End.ARRIVED, 4 * SECOND);
    assertThat(planner.carried("a", Direction.DOWN, 3 * SECOND, 5 * SECOND)).isEqualTo(25);
  }

  @Test
  void whatATaskReadsGoesBeforeAllOthers() {
    PrefetchNeed read = need("read", "large", "a", Set.of("b"), 900, 10);
    PrefetchNeed critical = need("critical", "small", "a", Set.of("c"), 900, 20);
    long flow = planner.plan(List.of(read), 0).get(0).flow().id();
    assertThat(said(planner.launched("large", "read", "a", 0))).containsExactly("Pace large 0");
    assertThat(planner.plan(List.of(critical), 0)).isEmpty();
    assertThat(planner.waiting()).containsExactly(critical);

    planner.progress(flow, 0, SECOND);
    planner.progress(flow, 40, 3 * SECOND);
    assertThat(said(planner.pace(3 * SECOND)))
        .as("what is read has had a fifth of the link")
        .containsExactly("Start critical 69");
    planner.ended(flow, End.ARRIVED, 4 * SECOND);
    assertThat(said(planner.pace(4 * SECOND))).containsExactly("Pace small 100");
  }

  @Test
  void aFlowThatIsReadAndNeverHeardOfKeepsNobodyWaiting() {
    PrefetchNeed read = need("read", "large", "a", Set.of("b"), 900, 60);
    PrefetchNeed critical = need("critical", "small", "a", Set.of("c"), 900, 60);
    planner.plan(List.of(read), 0);
    planner.launched("large", "read", "a", SECOND);
    assertThat(planner.plan(List.of(critical), 6 * SECOND)).isEmpty();

    assertThat(said(planner.pace(6 * SECOND + 1))).containsExactly("Start critical 100");
  }

  @Test
  void aCopyThatIsNeverHeardOfKeepsNobodyWaitingAndIsBegunAnew() {
    PrefetchNeed silent = need("silent", "small", "a", Set.of("b"), 900, 50);
    PrefetchNeed other = need("other", "large", "a", Set.of("c"), 900, 60);
    long flow = planner.plan(List.of(silent), 0).get(0).flow().id();
    planner.progress(flow, 0, SECOND);
    assertThat(planner.plan(List.of(silent, other), 6 * SECOND)).isEmpty();

    assertThat(said(planner.plan(List.of(other), 6 * SECOND + 1)))
        .containsExactly("Start other 100");
    assertThat(planner.target(flow)).isEmpty();
    assertThat(planner.carried("b", Direction.UP, 6 * SECOND, 7 * SECOND)).isZero();
    assertThat(said(planner.plan(List.of(silent, other), 7 * SECOND)))
        .containsExactly("Start silent 100", "Pace large 1");
  }

  @Test
  void aBlockOfSeveralReplicasWaitsForHalfOfWhatItNeeds() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 500, 10);
    others.put("b", 76L);
    others.put("c", 90L);
    assertThat(planner.plan(List.of(need), 0)).isEmpty();
    assertThat(planner.waiting()).containsExactly(need);

    others.put("b", 75L);
    assertThat(said(planner.pace(0))).containsExactly("Start map 25");
  }

  @Test
  void aBlockOfSeveralReplicasBeginsThoughNoneCouldBringItInTime() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 4000, 10);
    others.put("a", 61L);
    assertThat(planner.plan(List.of(need), 0)).as("less than a tenth of 400").isEmpty();
    others.put("a", 60L);
    others.put("b", 61L);
    others.put("c", 100L);
    assertThat(planner.pace(0)).isEmpty();

    others.put("b", 60L);
    assertThat(said(planner.pace(0))).as("all that its host takes").containsExactly("Start map 40");
  }

  @Test
  void aBlockOfSeveralReplicasWaitsForHalfOfWhatItsHostCanTake() {
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 600, 2);
    others.put("c", 100L);
    others.put("b", 51L);
    assertThat(planner.plan(List.of(need), 0)).isEmpty();

    others.put("b", 50L);
    assertThat(said(planner.pace(0))).as("it needs 300").containsExactly("Start map 50");
  }

  @Test
  void orOfWhatItsRackCanTakeIfAllReplicasAreElsewhere() {
    PrefetchPlanner half = planner(HALF);
    others.put("/r1", 60L);
    PrefetchNeed need = need("map", "small", "a", Set.of("c", "d"), 600, 2);

    assertThat(said(half.plan(List.of(need), 0))).containsExactly("Start map 40");
  }

  @Test
  void whatATaskReadsLeavesItsRackForMoreThanLinksAreSaidToHave() {
    PrefetchPlanner half = planner(HALF);
    PrefetchNeed need = need("map", "small", "a", Set.of("b", "c"), 500, 60);
    PrefetchFlow flow = half.plan(List.of(need), 0).get(0).flow();
    assertThat(flow.source()).isEqualTo("b");
    half.launched("small", "map", "a", 0);
    others.put("b", 90L);
    half.progress(flow.id(), 0, SECOND);
    half.progress(flow.id(), 20 * 3, 4 * SECOND);
    assertThat(half.pace(4 * SECOND)).as("25 and 20").isEmpty();

    half.progress(flow.id(), 60 + 12 * 3, 7 * SECOND);
    assertThat(sources(half.pace(7 * SECOND)))
        .as("10 of 100 are left, and 12 come")
        .containsExactly("c");
  }

  @Test
  void whatATaskReadsHasWhatComesWhateverOthersAreSaidToLeave() {
    PrefetchNeed read = need("map", "small", "a", Set.of("b", "c"), 2000, 60);
    PrefetchNeed other = need("other", "large", "a", Set.of("d"), 2000, 60);
    PrefetchFlow flow = planner.plan(List.of(read), 0).get(0).flow();
    assertThat(flow.source()).isEqualTo("b");
    planner.launched("small", "map", "a", 0);
    others.put("b", 90L);
    planner.progress(flow.id(), 0, SECOND);
    planner.progress(flow.id(), 50 * 3, 4 * SECOND);

    others.put("c", 25L);
    assertThat(said(planner.plan(List.of(other), 4 * SECOND))).containsExactly("Start other 50");
    others.put("c", 24L);
    assertThat(sources(planner.pace(4 * SECOND)))
        .as("more than half as much again as comes")
        .contains("c");
  }

  @Test
  void aCopyWhoseTaskIsExpectedElsewhereStandsStillForAWhile() {
    PrefetchNeed here = need("map", "small", "a", Set.of("b"), 900, 20);
    PrefetchNeed there = need("map", "small", "c", Set.of("b"), 900, 20);
    planner.plan(List.of(here), 0);

    assertThat(said(planner.plan(List.of(there), SECOND)))
        .containsExactly("Start map 100", "Pace small 1");
    assertThat(said(planner.plan(List.of(here), 2 * SECOND)))
        .as("it was a mistake")
        .containsExactly("Pace small 100", "Pace small 1");
    for (int plan = 0; plan < 9; plan++) {
      assertThat(planner.plan(List.of(here), 3 * SECOND)).as("it may be one again").isEmpty();
    }
    assertThat(said(planner.plan(List.of(here), 4 * SECOND))).containsExactly("Cancel small");
  }

  @Test
  void aDaemonHearsThatATaskComesLaterThoughItsRateIsTheSame() {
    PrefetchFlow flow =
        planner.plan(List.of(need("map", "small", "a", Set.of("b"), 900, 20)), 0).get(0).flow();

    assertThat(planner.plan(List.of(need("map", "small", "a", Set.of("b"), 900, 25)), SECOND))
        .isEmpty();
    assertThat(postponed()).containsExactly(new Pace(flow, 100, 25 * SECOND, false));
    assertThat(planner.launched("small", "map", "a", SECOND))
        .containsExactly(new Pace(flow, Command.UNPACED, 25 * SECOND, true));
    assertThat(planner.plan(List.of(need("map", "small", "a", Set.of("b"), 900, 30)), SECOND))
        .isEmpty();
    assertThat(postponed())
        .as("a prediction that is late slows no reader down")
        .containsExactly(new Pace(flow, Command.UNPACED, 30 * SECOND, true));
  }

  @Test
  void whatIsGuaranteedIsWhatBeingInTimeNeedsAndNothingToAReader() {
    assertThat(said(planner.plan(List.of(need("map", "small", "a", Set.of("b"), 900, 20)), 0)))
        .containsExactly("Start map 100");
    assertThat(planner.progress())
        .extracting(Progress::rate, Progress::guaranteed)
        .containsExactly(tuple(100L, 45L));

    assertThat(said(planner.launched("small", "map", "a", SECOND))).containsExactly("Pace small 0");
    assertThat(planner.progress()).extracting(Progress::guaranteed).containsExactly(0L);
  }

  /** Its daemon takes what the link has, then as before; devices must keep more of it free. */
  @Test
  void whatIsGuaranteedFollowsTheDeadlineAlsoWhereTheRateStays() {
    planner.plan(List.of(need("map", "small", "a", Set.of("b"), 900, 20)), 0);
    assertThat(planner.progress()).extracting(Progress::guaranteed).containsExactly(45L);

    assertThat(planner.plan(List.of(need("map", "small", "a", Set.of("b"), 900, 10)), 0)).isEmpty();
    assertThat(planner.progress())
        .extracting(Progress::rate, Progress::guaranteed)
        .containsExactly(tuple(100L, 90L));
    planner.plan(List.of(need("map", "small", "a", Set.of("b"), 900, 11)), 0);
    assertThat(planner.progress())
        .as("82 is not worth a change of devices")
        .extracting(Progress::guaranteed)
        .containsExactly(90L);
    planner.plan(List.of(need("map", "small", "a", Set.of("b"), 900, 30)), 0);
    assertThat(planner.progress()).extracting(Progress::guaranteed).containsExactly(30L);
    planner.plan(List.of(need("map", "small", "a", Set.of("b"), 900, 5)), 0);
    assertThat(planner.progress())
        .as("no more than it takes")
        .extracting(Progress::guaranteed)
        .containsExactly(100L);
  }

  private List<Command> postponed() {
    List<Command> commands = new ArrayList<>();
    planner.postpone(commands::add);
    return commands;
  }

  @Test
  void whoWaitsForItsTurnIsDroppedWithoutAWord() {
    PrefetchNeed first = need("first", "large", "a", Set.of("b"), 200, 10);
    PrefetchNeed second = need("second", "large", "a", Set.of("b"), 300, 20);
    long flow = planner.plan(List.of(first, second), 0).get(0).flow().id();

    assertThat(planner.launched("large", "second", "a", 0)).isEmpty();
    assertThat(planner.shares("large", "second", "a")).as("nobody brings it").isEmpty();
    planner.ended(flow, End.ARRIVED, 0);
    assertThat(planner.pace(0)).as("its map reads it").isEmpty();
  }

  private static List<String> said(List<Command> commands) {
    return commands.stream().map(PreemptiveRatesTest::said).toList();
  }

  private static String said(Command command) {
    if (command instanceof Start start) {
      return "Start %s %d".formatted(start.need().task(), start.rate());
    } else if (command instanceof Pace pace) {
      return "Pace %s %d".formatted(pace.flow().job(), pace.rate());
    }
    return "Cancel " + command.flow().job();
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
