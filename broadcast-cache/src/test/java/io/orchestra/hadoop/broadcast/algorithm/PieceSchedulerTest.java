package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class PieceSchedulerTest {
  /** Of draws without bounds a few are always worse than a test may ask for. */
  private static final String FIXED = "1";

  /** More pieces than receivers. */
  private static final int ALL_AT_ONCE = 64;

  private static final int EARLIER = 8;

  private static final long MILLISECOND = 1_000_000;

  private static final RequestLimits LIMITS = new RequestLimits(8, 2, 2);

  @Test
  void asksNobodyForWhatNobodyHas() {
    PieceScheduler<String> scheduler = scheduler(10, LIMITS);
    scheduler.join("empty", Place.NEAR, new BitSet());
    assertThat(scheduler.next(0)).isEmpty();
  }

  @Test
  void asksANearNeighbourForItsRarestPiece() {
    PieceScheduler<String> scheduler = scheduler(3, new RequestLimits(8, 1, 1));
    scheduler.join("one", Place.NEAR, bits(0, 1, 2));
    scheduler.join("two", Place.NEAR, bits(0, 1));
    scheduler.join("three", Place.NEAR, bits(0, 1));
    scheduler.next(0);
    assertThat(scheduler.asked("one")).containsExactly(2);
  }

  @Test
  void aFileThatGivesWayAsksForOnePieceAtATime() {
    RequestLimits limits = new RequestLimits(16, 16, 4);
    PieceScheduler<String> scheduler = scheduler(60, limits);
    BitSet all = new BitSet();
    all.set(0, 60);
    scheduler.join("near", Place.NEAR, all);
    scheduler.giveWay(true);
    assertThat(scheduler.next(0)).hasSize(1);
    assertThat(scheduler.next(1)).isEmpty();

    scheduler.giveWay(false);
    assertThat(scheduler.next(2)).hasSize(15);
    scheduler.giveWay(true);
    long now = 0;
    for (int piece : scheduler.asked("near").stream().limit(15).toList()) {
      now += MILLISECOND;
      scheduler.arrived("near", piece, now);
      assertThat(scheduler.next(now)).as("what was asked for is not taken back").isEmpty();
    }
    now += MILLISECOND;
    scheduler.arrived("near", scheduler.asked("near").iterator().next(), now);
    assertThat(scheduler.next(now)).hasSize(1);
  }

  @Test
  void aPieceThatIsLateKeepsNoOtherWaiting() {
    PieceScheduler<String> scheduler = scheduler(60, LIMITS);
    for (String neighbour : List.of("dead", "alive", "well")) {
      scheduler.join(neighbour, Place.NEAR, bits(0, 1, 2, 3, 4, 5, 6, 7));
    }
    scheduler.giveWay(true);
    String first = scheduler.next(0).get(0).neighbour();
    assertThat(scheduler.next(ServiceTimes.PATIENCE / 2)).isEmpty();
    List<PieceScheduler.Request<String>> second = scheduler.next(2 * ServiceTimes.PATIENCE);
    assertThat(second).hasSize(1);
    assertThat(second.get(0).neighbour()).isNotEqualTo(first);
  }

  @Test
  void asksAFarNeighbourOnlyForPiecesThatNobodyNearHas() {
    PieceScheduler<String> scheduler = scheduler(4, LIMITS);
    scheduler.join("near", Place.NEAR, bits(0, 1));
    scheduler.join("far", Place.REPLICA, bits(0, 1, 2, 3));
    List<PieceScheduler.Request<String>> requests = scheduler.next(0);
    assertThat(requests).hasSize(4);
    assertThat(requests)
        .allSatisfy(
            request ->
                assertThat(request.neighbour()).isEqualTo(request.piece() < 2 ? "near" : "far"));
  }

  @Test
  void beginsWithOneRequestToAllWhoAreFarAndHasTwoMoreForEachPiece() {
    PieceScheduler<String> scheduler =
        new PieceScheduler<>(40, 0, new RequestLimits(16, 4, 2), new Random(1));
    BitSet all = new BitSet();
    all.set(0, 40);
    List.of("one", "two", "three").forEach(replica -> scheduler.join(replica, Place.REPLICA, all));
    List<PieceScheduler.Request<String>> first = scheduler.next(0);
    assertThat(first).hasSize(1);
    assertThat(scheduler.next(1)).isEmpty();
    scheduler.arrived(first.get(0).neighbour(), first.get(0).piece(), 10);

    List<PieceScheduler.Request<String>> more = scheduler.next(10);
    assertThat(more).hasSize(3);
    scheduler.arrived(more.get(0).neighbour(), more.get(0).piece(), 20);
    assertThat(scheduler.next(20)).as("twice the limit are four, as nobody is near").hasSize(2);
  }

  @Test
  void asksEverMoreRarelyForOneMoreUntilAnythingHasCome() {
    PieceScheduler<String> scheduler =
        new PieceScheduler<>(8, 0, new RequestLimits(8, 1, 4), new Random(1));
    for (String replica : List.of("dead", "dead, too", "dead as well", "alive")) {
      scheduler.join(replica, Place.REPLICA, bits(0, 1, 2, 3, 4, 5, 6, 7));
    }
    assertThat(scheduler.next(0)).hasSize(1);
    assertThat(scheduler.next(999_999_999)).isEmpty();
    assertThat(scheduler.next(1_000_000_000)).hasSize(1);
    assertThat(scheduler.next(1_999_999_999)).isEmpty();
    assertThat(scheduler.next(2_000_000_000)).hasSize(1);
    assertThat(scheduler.next(3_999_999_999L)).isEmpty();
    List<PieceScheduler.Request<String>> last = scheduler.next(4_000_000_000L);
    assertThat(last).hasSize(1);
    scheduler.arrived(last.get(0).neighbour(), last.get(0).piece(), 4_100_000_000L);
    assertThat(scheduler.next(4_100_000_000L))
        .extracting(PieceScheduler.Request::neighbour)
        .as("the only one that owes nothing")
        .containsExactly(last.get(0).neighbour());
  }

  @Test
  void asksAFarNeighbourForAnythingWhenNobodyNearIsFree() {
    PieceScheduler<String> scheduler = scheduler(2, new RequestLimits(8, 1, 1));
    scheduler.join("far", Place.REPLICA, bits(0, 1));
    scheduler.join("near", Place.NEAR, bits(0));
    scheduler.arrived("near", 0, 0);
    scheduler.leave("near");
    scheduler.join("near", Place.NEAR, bits(1));
    scheduler.next(0);
    assertThat(scheduler.asked("near")).containsExactly(1);
    scheduler.refused("near", 1);
    scheduler.next(1);
    assertThat(scheduler.asked("far")).containsExactly(1);
  }

  @Test
  void whatCameOtherwiseNoNeighbourNeedSend() {
    PieceScheduler<String> scheduler = scheduler(2, LIMITS);
    scheduler.join("one", Place.NEAR, bits(0));
    scheduler.next(0);
    assertThat(scheduler.arrived(0)).containsExactly("one");
    assertThat(scheduler.arrived(1)).isEmpty();
    assertThat(scheduler.asked("one")).isEmpty();
    assertThat(scheduler.complete()).isTrue();
  }

  @Test
  void whoReadsInOrderReadsFirstWhatSomebodyWaitsForAndThenGoesOnWhereItWas() {
    PieceScheduler<String> scheduler = scheduler(5, LIMITS);
    scheduler.alreadyHave(bits(0, 3));
    assertThat(scheduler.missing(0, piece -> true)).hasValue(1);
    assertThat(scheduler.missing(3, piece -> true)).hasValue(4);
    assertThat(scheduler.missing(5, piece -> true)).hasValue(1);
    assertThat(scheduler.missing(0, piece -> piece > 1)).hasValue(2);
    scheduler.hasten(2);
    assertThat(scheduler.missing(0, piece -> piece != 2)).hasValue(1);
    assertThat(scheduler.missing(3, piece -> true)).hasValue(2);
    scheduler.alreadyHave(bits(1, 4));
    scheduler.arrived(2);
    assertThat(scheduler.missing(0, piece -> true)).isEmpty();
  }

  @Test
  void tellsWhatNobodyWasAskedFor() {
    PieceScheduler<String> scheduler = scheduler(5, LIMITS);
    scheduler.alreadyHave(bits(0));
    scheduler.join("one", Place.NEAR, bits(1, 3));
    assertThat(scheduler.next(0)).hasSize(2);

    assertThat(scheduler.unasked(0, piece -> true)).hasValue(2);
    assertThat(scheduler.unasked(3, piece -> true)).hasValue(4);
    assertThat(scheduler.unasked(5, piece -> true)).hasValue(2);
    assertThat(scheduler.unasked(0, piece -> piece > 2)).hasValue(4);
    scheduler.leave("one");
    assertThat(scheduler.unasked(0, piece -> true)).hasValue(1);
  }

  @Test
  void asksAgainForWhatANeighbourThatLeftWasAskedFor() {
    PieceScheduler<String> scheduler = scheduler(2, LIMITS);
    scheduler.join("one", Place.NEAR, bits(0, 1));
    assertThat(scheduler.next(0)).hasSize(2);
    scheduler.leave("one");
    scheduler.join("two", Place.NEAR, bits(0, 1));
    assertThat(scheduler.next(1))
        .extracting(PieceScheduler.Request::piece)
        .containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void asksAnotherWhenThePiecesThatAreLeftAreLateAndTakesTheFirstOneBack() {
    PieceScheduler<String> scheduler = scheduler(2, new RequestLimits(8, 1, 8));
    scheduler.join("slow", Place.NEAR, bits(0, 1));
    scheduler.join("fast", Place.NEAR, bits(0, 1));
    assertThat(scheduler.next(0)).hasSize(2);
    int ofFast = scheduler.asked("fast").iterator().next();
    scheduler.arrived("fast", ofFast, 100);
    List<PieceScheduler.Request<String>> hurried = scheduler.next(1000);
    assertThat(hurried).containsExactly(new PieceScheduler.Request<>("fast", 1 - ofFast));
    assertThat(scheduler.arrived("fast", 1 - ofFast, 1100)).containsExactly("slow");
    assertThat(scheduler.complete()).isTrue();
  }

  @Test
  void asksNobodyTwiceAtOnceBeforeAnythingHasCome() {
    PieceScheduler<String> scheduler = scheduler(2, LIMITS);
    scheduler.join("one", Place.NEAR, bits(0, 1));
    scheduler.join("two", Place.NEAR, bits(0, 1));
    assertThat(scheduler.next(0)).hasSize(2);
    assertThat(scheduler.next(500_000_000)).isEmpty();
    assertThat(scheduler.next(1_000_000_000)).isNotEmpty();
  }

  @Test
  void doesNotWaitForASingleNeighbourThatSeemsToHaveEverything() {
    PieceScheduler<String> scheduler = scheduler(4, LIMITS);
    scheduler.join("silent", Place.NEAR, bits(0, 1, 2, 3));
    scheduler.join("far", Place.REPLICA, bits(0, 1, 2, 3));
    scheduler.next(0);
    assertThat(scheduler.asked("silent")).hasSize(2);
    assertThat(scheduler.asked("far")).hasSize(2);
  }

  @Test
  void asksAFarNeighbourForAnythingOnlyWhileItAnswersMuchSoonerThanBusyNearOnes() {
    PieceScheduler<String> slowlyFar = warm(100, 300);
    slowlyFar.next(1000);
    assertThat(slowlyFar.asked("far")).isEmpty();
    PieceScheduler<String> quicklyFar = warm(300, 100);
    quicklyFar.next(1000);
    assertThat(quicklyFar.asked("near")).hasSize(1);
    assertThat(quicklyFar.asked("far")).hasSize(1);
  }

  @Test
  void asksFarNeighboursForTwiceAsMuchWhileTheWayToThemIsNotExpensive() {
    PieceScheduler<String> expensive = warm(100, 300);
    expensive.join("farther", Place.REPLICA, bits(5, 6));
    expensive.join("farthest", Place.REPLICA, bits(5, 6));
    expensive.refused("near", 5);
    expensive.refused("near", 6);
    expensive.next(1000);
    assertThat(expensive.asked("farther").size() + expensive.asked("farthest").size()).isEqualTo(1);
    PieceScheduler<String> cheap = warm(100, 150);
    cheap.join("farther", Place.REPLICA, bits(5, 6));
    cheap.join("farthest", Place.REPLICA, bits(5, 6));
    cheap.refused("near", 5);
    cheap.refused("near", 6);
    cheap.next(1000);
    assertThat(cheap.asked("farther").size() + cheap.asked("farthest").size()).isEqualTo(2);
  }

  /** Both neighbours have sent one piece, in so many nanoseconds, and have all others. */
  private static PieceScheduler<String> warm(long near, long far) {
    PieceScheduler<String> scheduler = scheduler(8, new RequestLimits(8, 1, 1));
    scheduler.join("far", Place.REPLICA, bits(0));
    scheduler.next(0);
    scheduler.arrived("far", 0, far);
    scheduler.join("near", Place.NEAR, bits(1));
    scheduler.next(0);
    scheduler.arrived("near", 1, near);
    for (int piece = 2; piece < 8; piece++) {
      scheduler.gained("near", piece);
      scheduler.gained("far", piece);
    }
    return scheduler;
  }

  @Test
  void asksNextForAPieceThatSomebodyWaitsForButOnceAndWithinTheLimits() {
    PieceScheduler<String> scheduler = scheduler(10, new RequestLimits(2, 2, 2));
    scheduler.join("one", Place.NEAR, bits(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    scheduler.next(0);
    List<Integer> asked = List.copyOf(scheduler.asked("one"));
    int awaited = asked.contains(9) ? 8 : 9;
    scheduler.awaited(awaited);
    assertThat(scheduler.next(0)).isEmpty();
    scheduler.arrived("one", asked.get(0), 1);
    assertThat(scheduler.next(1)).containsExactly(new PieceScheduler.Request<>("one", awaited));
    scheduler.join("two", Place.NEAR, bits(awaited));
    scheduler.arrived("one", asked.get(1), 2);
    assertThat(scheduler.next(2)).extracting(PieceScheduler.Request::piece).doesNotContain(awaited);
    assertThat(scheduler.arrived("one", awaited, 3)).isEmpty();
    scheduler.awaited(awaited);
    assertThat(scheduler.next(3)).extracting(PieceScheduler.Request::piece).doesNotContain(awaited);
  }

  @Test
  void aQuarterOfWhatIsAskedForIsWhatAReaderNeedsNext() {
    PieceScheduler<String> scheduler = scheduler(20, new RequestLimits(16, 16, 4));
    scheduler.alreadyHave(bits(5, 7));
    scheduler.join(
        "one", Place.NEAR, bits(4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19));
    scheduler.awaited(5);
    assertThat(scheduler.next(0).subList(0, 4))
        .extracting(PieceScheduler.Request::piece)
        .containsExactly(6, 8, 9, 10);
  }

  @Test
  void whoHasOthersNearAsksForWhatHisReaderWaitsForWhenOneOfThemHasIt() {
    PieceScheduler<String> scheduler = scheduler(10, new RequestLimits(8, 2, 2));
    scheduler.join("far", Place.REPLICA, bits(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    scheduler.join("near", Place.NEAR, bits());
    scheduler.awaited(9);
    scheduler.next(0);
    assertThat(scheduler.asked("far")).containsExactly(0, 1);
    scheduler.gained("near", 9);
    scheduler.gained("near", 8);
    assertThat(scheduler.next(1).get(0)).isEqualTo(new PieceScheduler.Request<>("near", 9));
  }

  @Test
  void whoHasNobodyNearAsksAReplicaForWhatHisReaderWaitsFor() {
    PieceScheduler<String> scheduler = scheduler(10, new RequestLimits(8, 2, 2));
    scheduler.join("far", Place.REPLICA, bits(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    scheduler.next(0);
    assertThat(scheduler.asked("far")).containsExactly(0, 1);
    scheduler.awaited(9);
    assertThat(scheduler.next(0)).isEmpty();
    scheduler.arrived("far", 0, 1);
    assertThat(scheduler.next(1)).containsExactly(new PieceScheduler.Request<>("far", 9));
  }

  @Test
  void whoHasNobodyNearAsksForHisReaderAlsoThoseWhoCameLater() {
    PieceScheduler<String> scheduler = scheduler(10, new RequestLimits(8, 4, 2));
    scheduler.join("first", Place.REPLICA, bits(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    scheduler.awaited(0);
    scheduler.next(0);
    assertThat(scheduler.asked("first")).containsExactly(0, 1);
    scheduler.join("later", Place.REPLICA, bits(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    scheduler.arrived("first", 0, 100);
    scheduler.next(100);
    assertThat(scheduler.asked("later")).contains(2);
  }

  @Test
  void whoIsAloneInHisRackSharesWithAllOtherReceiversUntilOneIsNear() {
    PieceScheduler<String> scheduler = scheduler(4, new RequestLimits(8, 4, 1));
    scheduler.join("far", Place.FAR, bits(0, 1, 2));
    scheduler.join("replica", Place.REPLICA, bits(0, 1, 2, 3));
    scheduler.next(0);
    assertThat(scheduler.asked("far")).containsExactlyInAnyOrder(0, 1, 2);
    assertThat(scheduler.asked("replica")).containsExactly(3);

    PieceScheduler<String> notAlone = scheduler(4, new RequestLimits(8, 4, 1));
    notAlone.join("far", Place.FAR, bits(0, 1, 2));
    notAlone.join("near", Place.NEAR, bits(1, 2));
    notAlone.next(0);
    assertThat(notAlone.asked("far")).containsExactly(0);
    assertThat(notAlone.asked("near")).containsExactlyInAnyOrder(1, 2);
    notAlone.leave("near");
    notAlone.next(0);
    assertThat(notAlone.asked("far")).containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void asksForAPieceThatSomebodyWaitsForOnceMoreAfterASecond() {
    PieceScheduler<String> scheduler = scheduler(2, new RequestLimits(8, 1, 8));
    scheduler.hasten(0);
    assertThat(scheduler.next(0)).isEmpty();
    scheduler.join("one", Place.NEAR, bits(0));
    assertThat(scheduler.next(0)).containsExactly(new PieceScheduler.Request<>("one", 0));
    scheduler.join("two", Place.NEAR, bits(0));
    assertThat(scheduler.next(999_999_999)).isEmpty();
    assertThat(scheduler.next(1_000_000_000))
        .containsExactly(new PieceScheduler.Request<>("two", 0));
    assertThat(scheduler.arrived("two", 0, 1_000_000_001)).containsExactly("one");
    scheduler.join("three", Place.NEAR, bits(0));
    assertThat(scheduler.next(9_000_000_000L)).isEmpty();
  }

  /** All come over the link of this host, which may be what is slow. */
  @Test
  void asksForAPieceThatSomebodyWaitsForEverMoreRarelyUntilAnythingHasCome() {
    PieceScheduler<Integer> scheduler =
        new PieceScheduler<>(1, 0, new RequestLimits(16, 1, 8), new Random(1));
    for (int neighbour = 0; neighbour < 16; neighbour++) {
      scheduler.join(neighbour, Place.NEAR, bits(0));
    }
    scheduler.hasten(0);
    List<Long> asked = new ArrayList<>();
    long second = 1_000_000_000L;
    for (long time = 0; time <= 33; time++) {
      if (!scheduler.next(time * second).isEmpty()) {
        asked.add(time);
      }
    }
    assertThat(asked).containsExactly(0L, 1L, 3L, 7L, 15L, 31L);
  }

  @Test
  void asksOthersForAPieceThatSomebodyWaitsForOnlyWhenItTakesTwiceAsLongAsUsual() {
    PieceScheduler<String> scheduler = scheduler(3, new RequestLimits(8, 1, 8));
    scheduler.join("one", Place.NEAR, bits(1));
    scheduler.next(0);
    long usual = 3_000_000_000L;
    scheduler.arrived("one", 1, usual);
    scheduler.join("two", Place.NEAR, bits(0));
    assertThat(scheduler.next(usual)).containsExactly(new PieceScheduler.Request<>("two", 0));
    scheduler.join("three", Place.NEAR, bits(0));
    scheduler.hasten(0);
    assertThat(scheduler.next(usual)).isEmpty();
    assertThat(scheduler.next(3 * usual - 1)).isEmpty();
    assertThat(scheduler.next(3 * usual)).containsExactly(new PieceScheduler.Request<>("three", 0));
  }

  @Test
  void asksNobodyToHelpWhoHasNeverSentAnythingAndIsSilent() {
    PieceScheduler<String> scheduler = scheduler(3, new RequestLimits(8, 2, 8));
    long usual = 3_000_000_000L;
    scheduler.join("silent", Place.NEAR, bits(0));
    scheduler.join("good", Place.NEAR, bits(1));
    scheduler.next(0);
    scheduler.arrived("good", 1, usual);
    scheduler.join("slow", Place.NEAR, bits(2));
    assertThat(scheduler.next(usual)).containsExactly(new PieceScheduler.Request<>("slow", 2));
    scheduler.gained("silent", 2);
    scheduler.gained("good", 2);
    scheduler.hasten(2);

    assertThat(scheduler.next(3 * usual)).containsExactly(new PieceScheduler.Request<>("good", 2));
  }

  @Test
  void asksOthersForAPieceThatIsWithheldWhileOthersCome() {
    PieceScheduler<String> scheduler = scheduler(40, new RequestLimits(2, 2, 8));
    long second = 1_000_000_000L;
    BitSet all = new BitSet();
    all.set(0, 39);
    scheduler.join("liar", Place.NEAR, all);
    scheduler.next(0);
    int withheld = scheduler.asked("liar").iterator().next();
    scheduler.hasten(withheld);
    for (int time = 1; time <= 5; time++) {
      int other =
          scheduler.asked("liar").stream()
              .filter(piece -> piece != withheld)
              .findAny()
              .orElseThrow();
      scheduler.arrived("liar", other, time * second);
      scheduler.next(time * second);
    }
    scheduler.join("honest", Place.NEAR, bits(withheld));
    assertThat(scheduler.next(5 * second))
        .containsExactly(new PieceScheduler.Request<>("honest", withheld));
  }

  @Test
  void doesNotTakeAPieceForLateThatWaitsForThoseBeforeIt() {
    PieceScheduler<String> scheduler = scheduler(6, new RequestLimits(8, 4, 8));
    long usual = 3_000_000_000L;
    scheduler.join("one", Place.NEAR, bits(0));
    scheduler.next(0);
    scheduler.arrived("one", 0, usual);
    for (int piece = 1; piece <= 4; piece++) {
      scheduler.gained("one", piece);
    }
    scheduler.next(usual);
    int last = List.copyOf(scheduler.asked("one")).get(3);
    scheduler.hasten(last);
    scheduler.join("two", Place.NEAR, bits(last));
    long late = usual + 2 * 4 * usual;
    assertThat(scheduler.next(late - 1)).isEmpty();
    assertThat(scheduler.next(late)).containsExactly(new PieceScheduler.Request<>("two", last));
  }

  @Test
  void namesNeighboursThatOweAPieceForTooLong() {
    PieceScheduler<String> scheduler = scheduler(4, LIMITS);
    scheduler.join("one", Place.NEAR, bits(0, 1));
    scheduler.next(10);
    assertThat(scheduler.waitingSince(10)).isEmpty();
    assertThat(scheduler.waitingSince(11)).containsExactly("one");
    scheduler.arrived("one", 0, 20);
    assertThat(scheduler.waitingSince(15)).isEmpty();
  }

  @Property(tries = 200)
  void everyPieceIsAskedForOnceUntilAllAreUnderWay(
      @ForAll @IntRange(min = 1, max = 60) int pieces,
      @ForAll @IntRange(min = 1, max = 6) int neighbours,
      @ForAll long seed) {
    Random random = new Random(seed);
    PieceScheduler<Integer> scheduler =
        new PieceScheduler<>(pieces, random.nextDouble(), LIMITS, random);
    for (int name = 0; name < neighbours; name++) {
      BitSet has = new BitSet();
      for (int piece = 0; piece < pieces; piece++) {
        has.set(piece, random.nextBoolean());
      }
      scheduler.join(name, Place.values()[random.nextInt(3)], has);
    }
    List<PieceScheduler.Request<Integer>> requests = scheduler.next(0);
    assertThat(requests).hasSizeLessThanOrEqualTo(LIMITS.inAll());
    assertThat(requests).extracting(PieceScheduler.Request::piece).doesNotHaveDuplicates();
    for (int name = 0; name < neighbours; name++) {
      int neighbour = name;
      assertThat(requests)
          .filteredOn(request -> request.neighbour() == neighbour)
          .hasSizeLessThanOrEqualTo(LIMITS.perNeighbour());
    }
  }

  @Property(tries = 50)
  void everyReceiverGetsEverythingThoughOneLeaves(
      @ForAll @IntRange(min = 2, max = 12) int receivers,
      @ForAll @IntRange(min = 1, max = 3) int seeds,
      @ForAll @IntRange(min = 1, max = 60) int pieces,
      @ForAll @IntRange(min = 0, max = 80) int leaves,
      @ForAll long seed) {
    double last =
        new SwarmSimulation(receivers, seeds, pieces, 4, LIMITS, (one, other) -> true, seed)
            .killing(0, leaves)
            .run();
    assertThat(last).isFinite();
  }

  @Property(tries = 20, seed = FIXED)
  void aSwarmOfTwelveEndsCloseToTheBound(@ForAll long seed) {
    int pieces = 160;
    int receivers = 12;
    double last =
        new SwarmSimulation(receivers, 3, pieces, 4, LIMITS, (one, other) -> true, seed).run();
    double bound = pieces + Math.ceil(Math.log(receivers + 1) / Math.log(2)) - 1;
    assertThat(last).isBetween(bound * 0.99, bound * 1.25);
  }

  /** A request, and the end of a piece, are under way as long as three pieces need to be sent. */
  @Property(tries = 20, seed = FIXED)
  void enoughIsAskedForToKeepLinksBusyThoughAnswersTakeTime(@ForAll long seed) {
    RequestLimits defaults = new RequestLimits(16, 4, 4);
    double last =
        new SwarmSimulation(12, 3, 160, 8, defaults, (one, other) -> true, seed)
            .withLatency(3)
            .run();
    assertThat(last).isLessThan(1.3 * 163);
  }

  /**
   * What a peer sends is its operating system's as soon as it is written: it sends to all who have
   * asked at once, however few pieces it takes in hand itself.
   */
  @Test
  void receiversSoonHaveSomethingForEachOtherHoweverManyAskTheReplicas() {
    assertThat(meanInFastRacks(12)).isLessThan(1.1 * 160);
    assertThat(meanInFastRacks(20)).isLessThan(1.13 * 160);
  }

  private static double meanInFastRacks(int receivers) {
    int racks = 3;
    return LongStream.rangeClosed(1, 8)
        .mapToDouble(
            seed ->
                new SwarmSimulation(
                        receivers,
                        racks,
                        160,
                        ALL_AT_ONCE,
                        new RequestLimits(16, 4, 4),
                        (one, other) -> one % racks == other % racks,
                        seed)
                    .inRacks(racks, 10)
                    .withLatency(0.3)
                    .meetingWithin(1)
                    .run())
        .average()
        .orElseThrow();
  }

  @Property(tries = 20, seed = FIXED)
  void replicasSendEachPieceLittleMoreThanOnce(@ForAll long seed) {
    SwarmSimulation swarm = new SwarmSimulation(12, 3, 160, 4, LIMITS, (one, other) -> true, seed);
    swarm.run();
    assertThat(swarm.copiesFromSeeds()).isBetween(1.0, 2.0);
  }

  /** Uplinks of racks as slow as links of hosts. */
  @Property(tries = 10, seed = FIXED)
  void whereUplinksAreSlowNearNeighboursAreWorthKnowing(@ForAll long seed) {
    RequestLimits defaults = new RequestLimits(16, 4, 4);
    int racks = 3;
    BiPredicate<Integer, Integer> sameRack = (one, other) -> one % racks == other % racks;
    double flat =
        new SwarmSimulation(12, racks, 160, 8, defaults, (one, other) -> true, seed)
            .inRacks(racks, 1)
            .withLatency(1)
            .run();
    double topology =
        new SwarmSimulation(12, racks, 160, 8, defaults, sameRack, seed)
            .inRacks(racks, 1)
            .withLatency(1)
            .run();
    assertThat(topology).isLessThan(0.9 * flat);
  }

  /** The same racks cost little where their uplinks are fast, and save much where they are slow. */
  @Property(tries = 10, seed = FIXED)
  void whereUplinksAreFastKnowingRacksCostsLittle(@ForAll long seed) {
    RequestLimits defaults = new RequestLimits(16, 4, 4);
    int racks = 3;
    BiPredicate<Integer, Integer> sameRack = (one, other) -> one % racks == other % racks;
    double topology =
        new SwarmSimulation(12, racks, 160, 8, defaults, sameRack, seed)
            .inRacks(racks, 10)
            .withLatency(0.1)
            .run();
    assertThat(topology).isLessThan(1.1 * 163);
  }

  /** Each reader needs as much time as the file needs at least. */
  @Property(tries = 10, seed = FIXED)
  void readersThatAreHeededEndSoonerAndTheFileHardlyComesLater(@ForAll long seed) {
    int pieces = 160;
    SwarmSimulation heedless = withReaders(pieces, false, seed);
    SwarmSimulation heeding = withReaders(pieces, true, seed);
    double without = heedless.run();
    double with = heeding.run();
    assertThat(with).isLessThan(1.05 * without);
    assertThat(heeding.lastRead()).isLessThan(0.95 * heedless.lastRead());
  }

  /** Two readers, three replicas, connections that are there one after the other. */
  @Property(tries = 30, seed = FIXED)
  void twoThatAreFarFromEachOtherDoNotWaitForOneReplica(@ForAll long seed) {
    double last = amongFarNeighbours(2, seed).run();
    assertThat(last).isLessThan(1.1 * 160);
  }

  @Property(tries = 10, seed = FIXED)
  void twelveThatAreFarFromEachOtherEndCloseToTheBound(@ForAll long seed) {
    SwarmSimulation swarm = amongFarNeighbours(12, seed);
    double last = swarm.run();
    assertThat(last).isLessThan(1.15 * 163);
    assertThat(swarm.copiesFromSeeds()).isLessThan(2.5);
  }

  private static SwarmSimulation amongFarNeighbours(int receivers, long seed) {
    RequestLimits defaults = new RequestLimits(16, 4, 4);
    return new SwarmSimulation(receivers, 3, 160, 8, defaults, (one, other) -> false, seed)
        .withLatency(0.1)
        .meetingWithin(3)
        .read(0.5, true);
  }

  private static SwarmSimulation withReaders(int pieces, boolean heeded, long seed) {
    RequestLimits defaults = new RequestLimits(16, 4, 4);
    return new SwarmSimulation(12, 3, pieces, 8, defaults, (one, other) -> true, seed)
        .withLatency(1)
        .read(1, heeded);
  }

  /**
   * Some time after its beginning: pieces behind those that a test is about have come from one who
   * has left.
   */
  private static PieceScheduler<String> scheduler(int pieces, RequestLimits limits) {
    PieceScheduler<String> scheduler =
        new PieceScheduler<>(pieces + EARLIER, 0, limits, new Random(1));
    BitSet earlier = new BitSet();
    earlier.set(pieces, pieces + EARLIER);
    scheduler.join("earlier", Place.NEAR, earlier);
    while (scheduler.have() < EARLIER) {
      scheduler.next(0).forEach(request -> scheduler.arrived("earlier", request.piece(), 0));
    }
    scheduler.leave("earlier");
    return scheduler;
  }

  private static BitSet bits(int... pieces) {
    BitSet bits = new BitSet();
    for (int piece : pieces) {
      bits.set(piece);
    }
    return bits;
  }
}
