package io.orchestra.hadoop.shuffle.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class LanesTest {
  /** Requests of 4 to 100 bytes. */
  private static final LaneLimits LIMITS =
      new LaneLimits(3, 10, 20, 4, 100, 0, LaneLimits.Memory.NONE);

  private final Lanes<String, String> lanes = OfferedLanes.weighted(LIMITS);

  @Test
  void aSenderGetsLanesInProportionToWhatItHas() {
    offer("hot", 25, 20);
    for (int sender = 0; sender < 5; sender++) {
      offer("cold" + sender, 5, 20);
    }

    assertThat(OfferedLanes.lanesBySender(lanes, 10))
        .containsEntry("hot", 5)
        .containsEntry("cold0", 1);
    assertThat(lanes.next(true)).isEmpty();
  }

  @Test
  void aHotSenderWhoseLinkIsNotTheBottleneckHasItsPart() {
    Lanes<String, String> gated = new Lanes<>(2, LIMITS, Gate.HOT_SENDER, new Random(1));
    OfferedLanes.offer(gated, "hot", new Share(600, 700));
    for (int sender = 0; sender < 5; sender++) {
      OfferedLanes.offer(gated, "cold" + sender, new Share(100, 300));
    }

    assertThat(gated.isWeighted()).isTrue();
    assertThat(OfferedLanes.lanesBySender(gated, 10)).containsEntry("hot", 5);
  }

  @Test
  void smallSendersShareTheLanesThatLargeOnesLeave() {
    offer("hot", 100, 5);
    for (int sender = 0; sender < 50; sender++) {
      offer("small" + sender, 1, 10);
    }

    assertThat(OfferedLanes.lanesBySender(lanes, 10)).containsEntry("hot", 5).hasSize(6);
  }

  @Test
  void noLaneWaitsWhileASenderHasSomething() {
    offer("only", 30, 10);

    assertThat(OfferedLanes.lanesBySender(lanes, 10)).containsOnly(Map.entry("only", 10));
  }

  @Test
  void aReducerThatGetsMoreThanOthersHasMoreLanes() {
    Lanes<String, String> large = OfferedLanes.weighted(LIMITS);
    large.add("sender", "output");
    large.measure("output", new Share(600, 1000), 600);

    assertThat(large.limit()).isEqualTo(12);
  }

  @Test
  void aLongOutputIsFetchedInRanges() {
    offer("sender", 1, 90);

    Chunk<String, String> first = lanes.next(true).orElseThrow();
    Chunk<String, String> second = lanes.next(true).orElseThrow();

    assertThat(first.parts()).containsExactly(new Part<>("sender/0", 0, 4, false));
    assertThat(second.parts()).containsExactly(new Part<>("sender/0", 4, 4, false));
  }

  @Test
  void theEndOfAnOutputIsNotCutOffIfItIsShort() {
    offer("sender", 1, 10);

    assertThat(OfferedLanes.parts(OfferedLanes.drain(lanes)))
        .containsExactly(new Part<>("sender/0", 0, 4, false), new Part<>("sender/0", 4, 6, false));
  }

  @Test
  void anOutputIsFetchedAsAWholeWhereRangesAreNotServed() {
    Lanes<String, String> whole =
        OfferedLanes.weighted(
            new LaneLimits(3, 10, 20, 4, 100, LaneLimits.ALL, LaneLimits.Memory.NONE));
    OfferedLanes.offer(whole, "sender", 2, 90);

    assertThat(OfferedLanes.parts(OfferedLanes.drain(whole)))
        .containsExactly(Part.whole("sender/0", 90), Part.whole("sender/1", 90));
  }

  @Test
  void anOutputIsLongThatIsSoWhenItIsDecompressed() {
    Lanes<String, String> lanes =
        OfferedLanes.weighted(new LaneLimits(3, 10, 20, 4, 100, 30, LaneLimits.Memory.NONE));
    lanes.add("sender", "compressed");
    lanes.measure("compressed", new Share(20, 40), 31);

    assertThat(OfferedLanes.parts(OfferedLanes.drain(lanes)))
        .hasSizeGreaterThan(2)
        .noneMatch(Part::whole);
  }

  @Test
  void anOutputThatIsNotLongIsFetchedWholeAmongLongOnes() {
    Lanes<String, String> some =
        OfferedLanes.weighted(new LaneLimits(3, 10, 20, 4, 100, 30, LaneLimits.Memory.NONE));
    OfferedLanes.offer(some, "sender", 1, 30);
    some.add("sender", "long");
    some.measure("long", new Share(31, 62), 31);

    List<Part<String>> parts = OfferedLanes.parts(OfferedLanes.drain(some));
    assertThat(parts).startsWith(Part.whole("sender/0", 30)).hasSizeGreaterThan(2);
    assertThat(parts.subList(1, parts.size())).noneMatch(Part::whole);
  }

  @Test
  void outputsOfASenderThatAreUnderWayHoldHalfOfTheMemoryAtMost() {
    Lanes<String, String> lanes =
        OfferedLanes.weighted(
            new LaneLimits(3, 10, 20, 4, 100, 30, new LaneLimits.Memory(200, 100, 50)));
    OfferedLanes.offer(lanes, "sender", 10, 20);
    OfferedLanes.offer(lanes, "sender of long ones", 10, 40);

    List<Chunk<String, String>> chunks = OfferedLanes.take(lanes, 10);
    assertThat(chunks)
        .as("in proportion, however few outputs there is memory for")
        .filteredOn(chunk -> chunk.host().equals("sender of long ones"))
        .hasSizeBetween(6, 7);
    Map<String, Set<String>> underWay =
        chunks.stream()
            .collect(
                Collectors.groupingBy(
                    Chunk::host,
                    Collectors.mapping(
                        chunk -> chunk.parts().get(0).output(), Collectors.toSet())));
    assertThat(underWay.get("sender of long ones")).hasSize(2);
    assertThat(underWay.get("sender")).hasSizeLessThanOrEqualTo(5);
  }

  /** Or all lanes to a sender would wait for the last range before they begin the next output. */
  @Test
  void moreOutputsOfASenderAreUnderWayInRangesThanWhole() {
    LaneLimits.Memory memory = new LaneLimits.Memory(200, 132, 50);

    assertThat(underWay(new LaneLimits(3, 10, 20, 4, 100, 30, memory)))
        .containsOnly("sender/0", "sender/1");
    assertThat(underWay(new LaneLimits(3, 10, 20, 4, 100, LaneLimits.ALL, memory)))
        .containsExactly("sender/0");
  }

  private static List<String> underWay(LaneLimits limits) {
    Lanes<String, String> lanes = OfferedLanes.weighted(limits);
    OfferedLanes.offer(lanes, "sender", 10, 40);
    return OfferedLanes.parts(OfferedLanes.take(lanes, 10)).stream().map(Part::output).toList();
  }

  @Test
  void aLongOutputForWhichThereIsRoomOnlyInRangesIsOneRange() {
    Lanes<String, String> lanes =
        OfferedLanes.weighted(
            new LaneLimits(3, 10, 20, 40, 100, 30, new LaneLimits.Memory(200, 132, 50)));
    OfferedLanes.offer(lanes, "sender", 10, 40);

    assertThat(OfferedLanes.parts(OfferedLanes.take(lanes, 10)))
        .containsExactly(Part.whole("sender/0", 40), new Part<>("sender/1", 0, 40, false));
  }

  @Test
  void theLastRangesOfAnOutputMakeRoomForTheNextWhenAllHasArrived() {
    Lanes<String, String> lanes =
        OfferedLanes.weighted(
            new LaneLimits(3, 10, 20, 20, 100, 30, new LaneLimits.Memory(200, 100, 50)));
    OfferedLanes.offer(lanes, "sender", 4, 50);
    List<Chunk<String, String>> all = OfferedLanes.take(lanes, 10);
    assertThat(OfferedLanes.parts(all))
        .extracting(Part::output)
        .containsOnly("sender/0", "sender/1");
    all.forEach(chunk -> lanes.free(chunk, List.of()));
    assertThat(lanes.next(true)).as("they are not whole yet").isEmpty();

    lanes.arrived("sender/0");
    assertThat(lanes.next(true).orElseThrow().parts())
        .extracting(Part::output)
        .containsExactly("sender/2");
    lanes.settled("sender/1");
    assertThat(lanes.next(true)).isPresent();
  }

  @Test
  void whereThereIsNoMemoryOnlyThatComesWhichHasSome() {
    Lanes<String, String> lanes =
        OfferedLanes.weighted(
            new LaneLimits(3, 10, 20, 4, 100, 30, new LaneLimits.Memory(200, 100, 50)));
    OfferedLanes.offer(lanes, "begun", 1, 40);
    Chunk<String, String> first = lanes.next(true).orElseThrow();
    OfferedLanes.offer(lanes, "large", 5, 45);
    OfferedLanes.offer(lanes, "small", 5, 10);
    lanes.add("silent", "of any size");
    assertThat(lanes.next(false)).as("nobody says that it has got memory").isEmpty();

    lanes.housed("begun/0");
    assertThat(lanes.next(false).orElseThrow().parts())
        .extracting(Part::output)
        .containsExactly("begun/0");
    OfferedLanes.offer(lanes, "on disk", 1, 60);
    lanes.penalise("begun");
    assertThat(lanes.next(false).orElseThrow().parts())
        .extracting(Part::output)
        .containsExactly("on disk/0");
    lanes.free(first, List.of());
    assertThat(lanes.next(true)).isPresent();
  }

  @Test
  void smallOutputsAreFetchedTogether() {
    Lanes<String, String> two =
        OfferedLanes.weighted(new LaneLimits(3, 10, 2, 100, 100, 0, LaneLimits.Memory.NONE));
    OfferedLanes.offer(two, "sender", 5, 10);

    assertThat(two.next(true).orElseThrow().parts())
        .containsExactly(Part.whole("sender/0", 10), Part.whole("sender/1", 10));
    assertThat(two.next(true).orElseThrow().bytes()).isEqualTo(20);
  }

  @Test
  void emptyOutputsAreFetchedToo() {
    offer("sender", 3, 0);

    assertThat(OfferedLanes.parts(OfferedLanes.drain(lanes))).hasSize(3);
  }

  @Test
  void aSenderThatTellsNoSizesHasOneLane() {
    for (int output = 0; output < 30; output++) {
      lanes.add("silent", "silent/" + output);
    }
    offer("other", 2, 50);

    Map<String, Integer> inUse = OfferedLanes.lanesBySender(lanes, 10);
    assertThat(inUse).containsEntry("silent", 1);
  }

  @Test
  void sizesThatComeLateCount() {
    lanes.add("sender", "output");
    lanes.measure("output", new Share(6, 24), 6);

    assertThat(lanes.next(true).orElseThrow().parts()).containsExactly(Part.whole("output", 6));
  }

  @Test
  void sizesOfAnUnknownOutputAreIgnored() {
    lanes.measure("output", new Share(6, 24), 6);

    assertThat(lanes.next(true)).isEmpty();
  }

  @Test
  void aClosedGateLeavesOneLaneToASenderAndStocksNumberInAll() {
    Lanes<String, String> stock = new Lanes<>(2, LIMITS, Gate.NEVER, new Random(1));
    for (int sender = 0; sender < 5; sender++) {
      OfferedLanes.offer(stock, "sender" + sender, 30, 10);
    }

    List<Chunk<String, String>> chunks = OfferedLanes.take(stock, 10);
    assertThat(chunks).hasSize(3).extracting(Chunk::host).doesNotHaveDuplicates();
    assertThat(chunks).allMatch(chunk -> chunk.parts().size() == 20);
    assertThat(stock.isWeighted()).isFalse();
  }

  @Test
  void atFirstEachSenderHasOneLaneWithLittle() {
    OfferedLanes.offer(lanes, "one", 2, 1000);
    OfferedLanes.offer(lanes, "two", 30, 90);

    List<Chunk<String, String>> chunks =
        List.of(lanes.nextAtFirst(true).orElseThrow(), lanes.nextAtFirst(true).orElseThrow());
    assertThat(chunks).extracting(Chunk::host).containsExactlyInAnyOrder("one", "two");
    assertThat(chunks).allMatch(chunk -> chunk.bytes() == LIMITS.shortest());
    assertThat(lanes.nextAtFirst(true)).isEmpty();
    assertThat(lanes.weightedRequests()).isZero();
    assertThat(lanes.next(true)).isPresent();
  }

  /** How much all have is not known yet. */
  @Test
  void atFirstThereAreAsManyLanesAsStockHas() {
    for (String sender : List.of("one", "two", "three", "four")) {
      OfferedLanes.offer(lanes, sender, new Share(10, 1000));
    }
    assertThat(lanes.limit()).isLessThan(LIMITS.fetchers());

    for (int lane = 0; lane < LIMITS.fetchers(); lane++) {
      assertThat(lanes.nextAtFirst(true)).isPresent();
    }
    assertThat(lanes.nextAtFirst(true)).isEmpty();
  }

  @Test
  void lanesThatHelpLeaveOneToOthers() {
    Lanes<String, String> gated = new Lanes<>(2, LIMITS, Gate.HOT_SENDER, new Random(1));
    OfferedLanes.offer(gated, "one", new Share(800, 80_000));
    assertThat(gated.limit()).isEqualTo(2);
    assertThat(OfferedLanes.take(gated, 10)).hasSize(1);
  }

  @Test
  void whereManyReducersFetchFromASenderFewLanesHelp() {
    int reducers = 100;
    Lanes<String, String> gated = new Lanes<>(reducers, LIMITS, Gate.HOT_SENDER, new Random(1));
    OfferedLanes.offer(gated, "one", new Share(800, 800L * reducers));
    assertThat(OfferedLanes.take(gated, 10)).hasSize(LIMITS.lanesToOne(reducers));
    assertThat(LIMITS.lanesToOne(reducers)).isLessThan(LIMITS.fetchers());
  }

  @Test
  void whatIsLittleIsNotSharedWhereTheGateIsClosed() {
    Lanes<String, String> gated = new Lanes<>(2, LIMITS, Gate.HOT_SENDER, new Random(1));
    OfferedLanes.offer(gated, "one", 23, 1);
    assertThat(OfferedLanes.take(gated, 10)).extracting(Chunk::bytes).containsExactly(20L);
  }

  @Test
  void aClosedGateDoesNotGiveAWholeSenderToOneLane() {
    Lanes<String, String> gated = new Lanes<>(2, LIMITS, Gate.HOT_SENDER, new Random(1));
    OfferedLanes.offer(gated, "one", 2, 1000);
    OfferedLanes.offer(gated, "two", 30, 90);

    assertThat(gated.isWeighted()).isFalse();
    assertThat(OfferedLanes.take(gated, 2))
        .extracting(Chunk::bytes)
        .containsExactlyInAnyOrder(100L, 90L);
  }

  @Test
  void whenTheGateIsClosedLanesWithNothingElseHelpWithTheSenderThatHasMostLeft() {
    Lanes<String, String> gated = new Lanes<>(2, LIMITS, Gate.HOT_SENDER, new Random(1));
    OfferedLanes.offer(gated, "one", 2, 90);
    OfferedLanes.offer(gated, "two", 30, 90);

    assertThat(gated.isWeighted()).isFalse();
    assertThat(OfferedLanes.lanesBySender(gated, 10))
        .containsEntry("one", 1)
        .containsEntry("two", LIMITS.fetchers() - 1);
  }

  @Test
  void theGateOpensWhileLanesAreInUse() {
    Lanes<String, String> gated = new Lanes<>(2, LIMITS, Gate.HOT_SENDER, new Random(1));
    OfferedLanes.offer(gated, "hot", 80, 10);
    assertThat(OfferedLanes.take(gated, 10)).hasSize(LIMITS.fetchers());

    OfferedLanes.offer(gated, "one", 4, 10);
    OfferedLanes.offer(gated, "two", 4, 10);
    OfferedLanes.offer(gated, "three", 4, 10);
    assertThat(gated.isWeighted()).isTrue();
    assertThat(OfferedLanes.lanesBySender(gated, 10))
        .containsEntry("hot", 9 - LIMITS.fetchers())
        .hasSize(2);
    assertThat(gated.requests()).isEqualTo(gated.inUse());
    assertThat(gated.weightedRequests()).isEqualTo(gated.requests() - LIMITS.fetchers());
  }

  @Test
  void sendersKeepTheirProportionWhenAHotOneHasFewOutputs() {
    Lanes<String, String> whole =
        OfferedLanes.weighted(
            new LaneLimits(3, 10, 20, 4, 100, LaneLimits.ALL, LaneLimits.Memory.NONE));
    OfferedLanes.offer(whole, "hot", 2, 120);
    for (int sender = 0; sender < 4; sender++) {
      OfferedLanes.offer(whole, "cold" + sender, 2, 30);
    }

    assertThat(whole.limit()).isEqualTo(10);
    assertThat(OfferedLanes.lanesBySender(whole, 10)).containsEntry("hot", 2).hasSize(3);
    assertThat(whole.inUse()).isEqualTo(4);
  }

  @Test
  void aSenderThatIsNotHotLeavesItsLanesToOthers() {
    Lanes<String, String> whole =
        OfferedLanes.weighted(
            new LaneLimits(3, 10, 20, 4, 100, LaneLimits.ALL, LaneLimits.Memory.NONE));
    OfferedLanes.offer(whole, "few", 1, 100);
    OfferedLanes.offer(whole, "one", 10, 10);
    OfferedLanes.offer(whole, "two", 10, 10);

    assertThat(OfferedLanes.lanesBySender(whole, 10)).containsEntry("few", 1).hasSize(3);
    assertThat(whole.inUse()).isEqualTo(10);
  }

  @Test
  void aSenderHasNoMoreLanesThanItsLinkNeeds() {
    Lanes<String, String> many = new Lanes<>(1000, LIMITS, Gate.ALWAYS, new Random(1));
    OfferedLanes.offer(many, "only", 30, 10);

    assertThat(OfferedLanes.lanesBySender(many, 10)).isEqualTo(Map.of("only", 2));
  }

  @Test
  void aReducerThatKnowsFewSizesHasAsManyLanesAsStock() {
    Lanes<String, String> partly = OfferedLanes.weighted(LIMITS);
    partly.add("ours", "small");
    partly.measure("small", new Share(1, 1000), 1);
    assertThat(partly.limit()).isEqualTo(2);

    partly.add("stock", "unknown");
    assertThat(partly.limit()).isEqualTo(3);
  }

  @Test
  void theGateOpensWhenAHotSenderBecomesKnown() {
    Lanes<String, String> gated = new Lanes<>(2, LIMITS, Gate.HOT_SENDER, new Random(1));
    OfferedLanes.offer(gated, "one", 2, 10);
    OfferedLanes.offer(gated, "two", 2, 10);
    OfferedLanes.offer(gated, "three", 2, 10);
    assertThat(gated.isWeighted()).isFalse();

    OfferedLanes.offer(gated, "hot", 20, 10);
    assertThat(gated.isWeighted()).isTrue();
  }

  @Test
  void aLaneStandsForTheSameBytesWhetherTheGateIsOpenOrNot() {
    Lanes<String, String> gated = new Lanes<>(2, LIMITS, Gate.HOT_SENDER, new Random(1));
    assertThat(gated.limit()).isEqualTo(3);

    OfferedLanes.offer(gated, "one", 2, 10);
    OfferedLanes.offer(gated, "two", 2, 10);
    assertThat(gated.isWeighted()).isFalse();
    assertThat(gated.limit()).isEqualTo(10);
  }

  @Property(tries = 500)
  void everyByteIsFetchedOnceWhateverHappens(@ForAll long seed) {
    new LanesWalk(seed).run();
  }

  private void offer(String sender, int outputs, long bytes) {
    OfferedLanes.offer(lanes, sender, outputs, bytes);
  }
}
