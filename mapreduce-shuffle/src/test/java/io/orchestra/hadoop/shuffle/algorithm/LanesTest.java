package io.orchestra.hadoop.shuffle.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class LanesTest {
  /** Requests of 4 to 100 bytes. */
  private static final LaneLimits LIMITS = new LaneLimits(3, 10, 20, 4, 100, 0);

  private final Lanes<String, String> lanes = weighted(LIMITS);

  @Test
  void aSenderGetsLanesInProportionToWhatItHas() {
    offer("hot", 25, 20);
    for (int sender = 0; sender < 5; sender++) {
      offer("cold" + sender, 5, 20);
    }

    assertThat(lanesBySender(lanes, 10)).containsEntry("hot", 5).containsEntry("cold0", 1);
    assertThat(lanes.next()).isEmpty();
  }

  @Test
  void aSenderWhoseLinkMayBeTheBottleneckHasMoreThanItsPart() {
    Lanes<String, String> gated = new Lanes<>(2, LIMITS, Gate.HOT_SENDER, new Random(1));
    for (Lanes<String, String> each : List.of(gated, lanes)) {
      offer(each, "hot", 30, 20);
      for (int sender = 0; sender < 5; sender++) {
        offer(each, "cold" + sender, 5, 20);
      }
    }

    assertThat(lanesBySender(gated, 10)).containsEntry("hot", 7);
    assertThat(lanesBySender(lanes, 10)).containsEntry("hot", 5);
  }

  @Test
  void whereOneLaneIsEnoughItFetchesAllAtOnceBesideABottleneck() {
    Lanes<String, String> gated = new Lanes<>(2, LIMITS, Gate.HOT_SENDER, new Random(1));
    offer(gated, "hot", 30, 20);
    for (int sender = 0; sender < 5; sender++) {
      offer(gated, "cold" + sender, 5, 20);
    }

    Map<Boolean, List<Chunk<String, String>>> byHot =
        take(gated, 10).stream()
            .collect(Collectors.partitioningBy(chunk -> chunk.host().equals("hot")));
    assertThat(byHot.get(true)).allMatch(chunk -> chunk.parts().size() < 4);
    assertThat(byHot.get(false)).isNotEmpty().allMatch(chunk -> chunk.parts().size() == 5);
  }

  @Test
  void aHotSenderWhoseLinkIsNotTheBottleneckHasItsPart() {
    Lanes<String, String> gated = new Lanes<>(2, LIMITS, Gate.HOT_SENDER, new Random(1));
    offer(gated, "hot", new Share(600, 700));
    for (int sender = 0; sender < 5; sender++) {
      offer(gated, "cold" + sender, new Share(100, 300));
    }

    assertThat(gated.isWeighted()).isTrue();
    assertThat(lanesBySender(gated, 10)).containsEntry("hot", 5);
  }

  @Test
  void smallSendersShareTheLanesThatLargeOnesLeave() {
    offer("hot", 100, 5);
    for (int sender = 0; sender < 50; sender++) {
      offer("small" + sender, 1, 10);
    }

    assertThat(lanesBySender(lanes, 10)).containsEntry("hot", 5).hasSize(6);
  }

  @Test
  void noLaneWaitsWhileASenderHasSomething() {
    offer("only", 30, 10);

    assertThat(lanesBySender(lanes, 10)).containsOnly(Map.entry("only", 10));
  }

  @Test
  void aReducerThatGetsMoreThanOthersHasMoreLanes() {
    Lanes<String, String> large = weighted(LIMITS);
    large.add("sender", "output");
    large.measure("output", new Share(600, 1000));

    assertThat(large.limit()).isEqualTo(12);
  }

  @Test
  void aLongOutputIsFetchedInRanges() {
    offer("sender", 1, 90);

    Chunk<String, String> first = lanes.next().orElseThrow();
    Chunk<String, String> second = lanes.next().orElseThrow();

    assertThat(first.parts()).containsExactly(new Part<>("sender/0", 0, 4, false));
    assertThat(second.parts()).containsExactly(new Part<>("sender/0", 4, 4, false));
  }

  @Test
  void theEndOfAnOutputIsNotCutOffIfItIsShort() {
    offer("sender", 1, 10);

    assertThat(parts(drain(lanes)))
        .containsExactly(new Part<>("sender/0", 0, 4, false), new Part<>("sender/0", 4, 6, false));
  }

  @Test
  void anOutputIsFetchedAsAWholeWhereRangesAreNotServed() {
    Lanes<String, String> whole = weighted(new LaneLimits(3, 10, 20, 4, 100, LaneLimits.ALL));
    offer(whole, "sender", 2, 90);

    assertThat(parts(drain(whole)))
        .containsExactly(Part.whole("sender/0", 90), Part.whole("sender/1", 90));
  }

  @Test
  void anOutputThatIsNotLongIsFetchedWholeAmongLongOnes() {
    Lanes<String, String> some = weighted(new LaneLimits(3, 10, 20, 4, 100, 30));
    offer(some, "sender", 1, 30);
    some.add("sender", "long");
    some.measure("long", new Share(31, 62));

    List<Part<String>> parts = parts(drain(some));
    assertThat(parts).startsWith(Part.whole("sender/0", 30)).hasSizeGreaterThan(2);
    assertThat(parts.subList(1, parts.size())).noneMatch(Part::whole);
  }

  @Test
  void smallOutputsAreFetchedTogether() {
    Lanes<String, String> two = weighted(new LaneLimits(3, 10, 2, 100, 100, 0));
    offer(two, "sender", 5, 10);

    assertThat(two.next().orElseThrow().parts())
        .containsExactly(Part.whole("sender/0", 10), Part.whole("sender/1", 10));
    assertThat(two.next().orElseThrow().bytes()).isEqualTo(20);
  }

  @Test
  void emptyOutputsAreFetchedToo() {
    offer("sender", 3, 0);

    assertThat(parts(drain(lanes))).hasSize(3);
  }

  @Test
  void aSenderThatTellsNoSizesHasOneLane() {
    for (int output = 0; output < 30; output++) {
      lanes.add("silent", "silent/" + output);
    }
    offer("other", 2, 50);

    Map<String, Integer> inUse = lanesBySender(lanes, 10);
    assertThat(inUse).containsEntry("silent", 1);
  }

  @Test
  void sizesThatComeLateCount() {
    lanes.add("sender", "output");
    lanes.measure("output", new Share(6, 24));

    assertThat(lanes.next().orElseThrow().parts()).containsExactly(Part.whole("output", 6));
  }

  @Test
  void sizesOfAnUnknownOutputAreIgnored() {
    lanes.measure("output", new Share(6, 24));

    assertThat(lanes.next()).isEmpty();
  }

  @Test
  void aClosedGateLeavesOneLaneToASenderAndStocksNumberInAll() {
    Lanes<String, String> stock = new Lanes<>(2, LIMITS, Gate.NEVER, new Random(1));
    for (int sender = 0; sender < 5; sender++) {
      offer(stock, "sender" + sender, 30, 10);
    }

    List<Chunk<String, String>> chunks = take(stock, 10);
    assertThat(chunks).hasSize(3).extracting(Chunk::host).doesNotHaveDuplicates();
    assertThat(chunks).allMatch(chunk -> chunk.parts().size() == 20);
    assertThat(stock.isWeighted()).isFalse();
  }

  @Test
  void aClosedGateDoesNotGiveAWholeSenderToOneLane() {
    Lanes<String, String> gated = new Lanes<>(2, LIMITS, Gate.HOT_SENDER, new Random(1));
    offer(gated, "one", 2, 1000);
    offer(gated, "two", 30, 90);

    assertThat(gated.isWeighted()).isFalse();
    assertThat(take(gated, 2)).extracting(Chunk::bytes).containsExactlyInAnyOrder(100L, 90L);
  }

  @Test
  void theGateOpensWhileLanesAreInUse() {
    Lanes<String, String> gated = new Lanes<>(2, LIMITS, Gate.HOT_SENDER, new Random(1));
    offer(gated, "hot", 20, 10);
    assertThat(take(gated, 10)).hasSize(1);

    offer(gated, "one", 4, 10);
    offer(gated, "two", 4, 10);
    offer(gated, "three", 4, 10);
    assertThat(gated.isWeighted()).isTrue();
    assertThat(lanesBySender(gated, 10)).containsEntry("hot", 6).hasSize(4);
    assertThat(gated.requests()).isEqualTo(gated.inUse());
    assertThat(gated.weightedRequests()).isEqualTo(gated.requests() - 1);
  }

  @Test
  void sendersKeepTheirProportionWhenAHotOneHasFewOutputs() {
    Lanes<String, String> whole = weighted(new LaneLimits(3, 10, 20, 4, 100, LaneLimits.ALL));
    offer(whole, "hot", 2, 120);
    for (int sender = 0; sender < 4; sender++) {
      offer(whole, "cold" + sender, 2, 30);
    }

    assertThat(whole.limit()).isEqualTo(10);
    assertThat(lanesBySender(whole, 10)).containsEntry("hot", 2).hasSize(3);
    assertThat(whole.inUse()).isEqualTo(4);
  }

  @Test
  void aSenderThatIsNotHotLeavesItsLanesToOthers() {
    Lanes<String, String> whole = weighted(new LaneLimits(3, 10, 20, 4, 100, LaneLimits.ALL));
    offer(whole, "few", 1, 100);
    offer(whole, "one", 10, 10);
    offer(whole, "two", 10, 10);

    assertThat(lanesBySender(whole, 10)).containsEntry("few", 1).hasSize(3);
    assertThat(whole.inUse()).isEqualTo(10);
  }

  @Test
  void aSenderHasNoMoreLanesThanItsLinkNeeds() {
    Lanes<String, String> many = new Lanes<>(1000, LIMITS, Gate.ALWAYS, new Random(1));
    offer(many, "only", 30, 10);

    assertThat(lanesBySender(many, 10)).isEqualTo(Map.of("only", 2));
  }

  @Test
  void aReducerThatKnowsFewSizesHasAsManyLanesAsStock() {
    Lanes<String, String> partly = weighted(LIMITS);
    partly.add("ours", "small");
    partly.measure("small", new Share(1, 1000));
    assertThat(partly.limit()).isEqualTo(2);

    partly.add("stock", "unknown");
    assertThat(partly.limit()).isEqualTo(3);
  }

  @Test
  void theGateOpensWhenAHotSenderBecomesKnown() {
    Lanes<String, String> gated = new Lanes<>(2, LIMITS, Gate.HOT_SENDER, new Random(1));
    offer(gated, "one", 2, 10);
    offer(gated, "two", 2, 10);
    offer(gated, "three", 2, 10);
    assertThat(gated.isWeighted()).isFalse();

    offer(gated, "hot", 20, 10);
    assertThat(gated.isWeighted()).isTrue();
  }

  @Test
  void aLaneStandsForTheSameBytesWhetherTheGateIsOpenOrNot() {
    Lanes<String, String> gated = new Lanes<>(2, LIMITS, Gate.HOT_SENDER, new Random(1));
    assertThat(gated.limit()).isEqualTo(3);

    offer(gated, "one", 2, 10);
    offer(gated, "two", 2, 10);
    assertThat(gated.isWeighted()).isFalse();
    assertThat(gated.limit()).isEqualTo(10);
  }

  @Test
  void aPenalisedSenderIsLeftAlone() {
    offer("bad", 20, 10);
    offer("good", 1, 4);
    lanes.penalise("bad");

    assertThat(take(lanes, 10)).extracting(Chunk::host).containsExactly("good");

    lanes.pardon("bad");
    assertThat(lanes.next().orElseThrow().host()).isEqualTo("bad");
  }

  @Test
  void whatWasMissingIsFetchedAgain() {
    offer("sender", 1, 10);
    Chunk<String, String> first = lanes.next().orElseThrow();
    lanes.free(first, first.parts());

    assertThat(lanes.inUse()).isZero();
    assertThat(lanes.next()).contains(first);
  }

  @Test
  void aReassembledOutputThatWasBadIsFetchedAgainAsAWhole() {
    offer("sender", 1, 10);
    Chunk<String, String> first = lanes.next().orElseThrow();
    Chunk<String, String> last = lanes.next().orElseThrow();
    lanes.free(first, List.of());
    lanes.free(last, List.of(Part.whole("sender/0", 10)));

    assertThat(drain(lanes).stream().mapToLong(Chunk::bytes).sum()).isEqualTo(10);
  }

  @Test
  void anObsoleteOutputIsNotFetched() {
    offer("sender", 1, 10);
    Chunk<String, String> chunk = lanes.next().orElseThrow();
    lanes.obsolete("sender/0");
    assertThat(lanes.next()).isEmpty();

    lanes.free(chunk, chunk.parts());
    assertThat(lanes.next()).isEmpty();
  }

  @Test
  void anOutputToldTwiceIsFetchedOnce() {
    offer("sender", 1, 5);
    drain(lanes);
    offer("sender", 1, 5);

    assertThat(lanes.next()).isEmpty();
  }

  @Test
  void aLaneIsFreedOnce() {
    offer("sender", 1, 5);
    Chunk<String, String> chunk = lanes.next().orElseThrow();
    lanes.free(chunk, List.of());

    assertThatThrownBy(() -> lanes.free(chunk, List.of()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Property(tries = 500)
  void everyByteIsFetchedOnceWhateverHappens(@ForAll long seed) {
    new LanesWalk(seed).run();
  }

  private void offer(String sender, int outputs, long bytes) {
    offer(lanes, sender, outputs, bytes);
  }

  private static void offer(Lanes<String, String> lanes, String sender, Share output) {
    lanes.add(sender, sender);
    lanes.measure(sender, output);
  }

  /** Two reducers get the same. */
  private static void offer(Lanes<String, String> lanes, String sender, int outputs, long bytes) {
    for (int output = 0; output < outputs; output++) {
      lanes.add(sender, sender + "/" + output);
      lanes.measure(sender + "/" + output, new Share(bytes, 2 * bytes));
    }
  }

  private static Lanes<String, String> weighted(LaneLimits limits) {
    return new Lanes<>(2, limits, Gate.ALWAYS, new Random(1));
  }

  private static Map<String, Integer> lanesBySender(Lanes<String, String> lanes, int most) {
    return take(lanes, most).stream()
        .collect(Collectors.groupingBy(Chunk::host, Collectors.summingInt(chunk -> 1)));
  }

  /** Takes lanes without freeing any. */
  private static List<Chunk<String, String>> take(Lanes<String, String> lanes, int most) {
    List<Chunk<String, String>> chunks = new ArrayList<>();
    while (chunks.size() < most) {
      Optional<Chunk<String, String>> chunk = lanes.next();
      if (chunk.isEmpty()) {
        break;
      }
      chunks.add(chunk.get());
    }
    return chunks;
  }

  /** Fetches everything, one chunk at a time. */
  private static List<Chunk<String, String>> drain(Lanes<String, String> lanes) {
    List<Chunk<String, String>> chunks = new ArrayList<>();
    for (Optional<Chunk<String, String>> chunk = lanes.next();
        chunk.isPresent();
        chunk = lanes.next()) {
      chunks.add(chunk.get());
      lanes.free(chunk.get(), List.of());
    }
    return chunks;
  }

  private static List<Part<String>> parts(List<Chunk<String, String>> chunks) {
    return chunks.stream().map(Chunk::parts).flatMap(List::stream).toList();
  }
}
