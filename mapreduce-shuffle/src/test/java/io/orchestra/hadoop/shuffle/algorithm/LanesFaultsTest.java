package io.orchestra.hadoop.shuffle.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of lanes when outputs or senders turn out to be bad. */
final class LanesFaultsTest {
  private static final LaneLimits LIMITS =
      new LaneLimits(3, 10, 20, 4, 100, 0, LaneLimits.Memory.NONE);

  private final Lanes<String, String> lanes = OfferedLanes.weighted(LIMITS);

  @Test
  void aPenalisedSenderIsLeftAlone() {
    offer("bad", 20, 10);
    offer("good", 1, 4);
    lanes.penalise("bad");

    assertThat(OfferedLanes.take(lanes, 10)).extracting(Chunk::host).containsExactly("good");

    lanes.pardon("bad");
    assertThat(lanes.next(true).orElseThrow().host()).isEqualTo("bad");
  }

  @Test
  void whatWasMissingIsFetchedAgain() {
    offer("sender", 1, 10);
    Chunk<String, String> first = lanes.next(true).orElseThrow();
    lanes.free(first, first.parts());

    assertThat(lanes.inUse()).isZero();
    assertThat(lanes.next(true)).contains(first);
  }

  @Test
  void aReassembledOutputThatWasBadIsFetchedAgainAsAWhole() {
    offer("sender", 1, 10);
    Chunk<String, String> first = lanes.next(true).orElseThrow();
    Chunk<String, String> last = lanes.next(true).orElseThrow();
    lanes.free(first, List.of());
    lanes.free(last, List.of(Part.whole("sender/0", 10)));

    assertThat(OfferedLanes.drain(lanes).stream().mapToLong(Chunk::bytes).sum()).isEqualTo(10);
  }

  @Test
  void anObsoleteOutputIsNotFetched() {
    offer("sender", 1, 10);
    Chunk<String, String> chunk = lanes.next(true).orElseThrow();
    lanes.obsolete("sender/0");
    assertThat(lanes.next(true)).isEmpty();

    lanes.free(chunk, chunk.parts());
    assertThat(lanes.next(true)).isEmpty();
  }

  @Test
  void anOutputToldTwiceIsFetchedOnce() {
    offer("sender", 1, 5);
    OfferedLanes.drain(lanes);
    offer("sender", 1, 5);

    assertThat(lanes.next(true)).isEmpty();
  }

  @Test
  void aLaneIsFreedOnce() {
    offer("sender", 1, 5);
    Chunk<String, String> chunk = lanes.next(true).orElseThrow();
    lanes.free(chunk, List.of());

    assertThatThrownBy(() -> lanes.free(chunk, List.of()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aSenderThatHasFailedHasOneLaneUntilAnOutputArrives() {
    offer("bad", 20, 10);
    offer("good", 1, 4);
    lanes.suspect("bad");

    assertThat(OfferedLanes.lanesBySender(lanes, 10))
        .containsOnly(Map.entry("bad", 1), Map.entry("good", 1));

    lanes.arrived("bad/0");
    assertThat(OfferedLanes.lanesBySender(lanes, 8)).containsOnly(Map.entry("bad", 8));
  }

  /** With two, a rack that fails would hold it up for longer than stock's. */
  @Test
  void aSmallReducerHasAsManyLanesAsStockWhileASenderHasFailed() {
    lanes.add("bad", "bad/0");
    lanes.measure("bad/0", new Share(1, 1000), 1);
    assertThat(lanes.limit()).isEqualTo(2);

    lanes.suspect("bad");
    assertThat(lanes.limit()).isEqualTo(LIMITS.fetchers());
    lanes.arrived("bad/0");
    assertThat(lanes.limit()).isEqualTo(2);
  }

  /** As when its maps have been run anew elsewhere. */
  @Test
  void aSenderThatHasFailedAndHasNothingLeftHoldsUpNoLanes() {
    lanes.add("bad", "bad/0");
    lanes.suspect("bad");
    assertThat(lanes.limit()).isEqualTo(LIMITS.fetchers());

    lanes.obsolete("bad/0");
    lanes.add("good", "good/0");
    lanes.measure("good/0", new Share(1, 1000), 1);
    assertThat(lanes.limit()).isEqualTo(2);
  }

  /** An output whose range met the failure; the others still come in ranges. */
  @Test
  void whatIsFetchedWholeComesFirstFromASenderThatHasFailed() {
    offer("sender", 2, 9);
    Chunk<String, String> range = lanes.next(true).orElseThrow();
    assertThat(range.parts()).containsExactly(new Part<>("sender/0", 0, 4, false));
    lanes.suspect("sender");
    lanes.obsolete("sender/0");
    lanes.add("sender", "sender/0");
    lanes.free(range, List.of());

    assertThat(lanes.next(true).orElseThrow().parts())
        .containsExactly(Part.whole("sender/0", Part.UNKNOWN));
    lanes.arrived("sender/0");
    assertThat(lanes.next(true).orElseThrow().parts())
        .containsExactly(new Part<>("sender/1", 0, 4, false));
  }

  /** Or one that is bad would hold up all others of its sender. */
  @Test
  void whatCannotBeFetchedWholeEitherComesLast() {
    offer("sender", 2, 9);
    Chunk<String, String> range = lanes.next(true).orElseThrow();
    lanes.suspect("sender");
    lanes.obsolete("sender/0");
    lanes.add("sender", "sender/0");
    lanes.free(range, List.of());
    Chunk<String, String> whole = lanes.next(true).orElseThrow();
    assertThat(whole.parts()).containsExactly(Part.whole("sender/0", Part.UNKNOWN));
    lanes.accuse("sender");
    lanes.free(whole, whole.parts());

    assertThat(lanes.next(true).orElseThrow().parts())
        .containsExactly(new Part<>("sender/1", 0, 4, false));
    assertThat(lanes.next(true)).as("one lane until something arrives").isEmpty();
  }

  @Test
  void theOthersDoNotHaveFewerLanesForASenderThatHasFailed() {
    offer("bad", 2, 1000);
    offer("good", 20, 10);
    offer("other", 20, 10);
    lanes.undivide("bad");
    assertThat(OfferedLanes.take(lanes, 10)).as("in its proportion").hasSizeLessThan(10);
    lanes.suspect("bad");

    OfferedLanes.take(lanes, 10);
    assertThat(lanes.inUse()).isEqualTo(10);
  }

  @Test
  void anUndividedSenderIsFetchedFromWholeButForRangesThatWaitAlready() {
    offer("sender", 3, 9);
    assertThat(lanes.next(true).orElseThrow().parts())
        .containsExactly(new Part<>("sender/0", 0, 4, false));
    lanes.undivide("sender");

    assertThat(OfferedLanes.parts(OfferedLanes.drain(lanes)))
        .containsExactly(
            new Part<>("sender/0", 4, 5, false),
            Part.whole("sender/1", 9),
            Part.whole("sender/2", 9));
  }

  private void offer(String sender, int outputs, long bytes) {
    OfferedLanes.offer(lanes, sender, outputs, bytes);
  }
}
