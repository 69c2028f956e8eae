package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.algorithm.Gate;
import io.orchestra.hadoop.shuffle.algorithm.LaneLimits;
import io.orchestra.hadoop.shuffle.algorithm.Lanes;
import io.orchestra.hadoop.shuffle.algorithm.Part;
import io.orchestra.hadoop.shuffle.algorithm.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class SourcesTest {
  private static final String URL = "http://host:1/mapOutput?map=";
  private static final int MEGABYTES = 10 << 20;
  private static final Duration SIZE_WAIT = Duration.ofSeconds(3);

  /** Two outputs of a host may be under way. */
  private static final LaneLimits.Memory MEMORY =
      new LaneLimits.Memory(4 * MEGABYTES, 2 * MEGABYTES, MEGABYTES);

  private long now;
  private final List<TaskAttemptID> found = new ArrayList<>();
  private Sources sources = sources(LaneLimits.of(5, 0, LaneLimits.Memory.NONE));

  private Sources sources(LaneLimits limits) {
    return new Sources(
        new Lanes<>(1, limits, Gate.ALWAYS, new Random(1)),
        (host, url, output) -> found.add(output),
        SIZE_WAIT,
        () -> now);
  }

  private static TaskAttemptID output(int map) {
    return TaskAttemptID.forName(ShuffledJob.attempt(map));
  }

  /** So large that a lane gets no more than one. */
  private void ready(String host, int map) {
    sources.finished(host, URL, output(map));
    tell(host, map);
  }

  private void tell(String host, int map) {
    sources.ready(
        host,
        output(map),
        Optional.of(new Sources.Size(new Share(MEGABYTES / 2, MEGABYTES), MEGABYTES)));
  }

  @Test
  void anOutputIsFetchedWhenItsSizeIsKnownOrWillNotBe() throws InterruptedException {
    sources.finished("silent", URL, output(0));
    assertThat(found).containsExactly(output(0));
    sources.ready("silent", output(0), Optional.empty());

    LaneHost lane = sources.next();
    assertThat(lane.getHostName()).isEqualTo("silent");
    assertThat(lane.outputs(sources)).containsExactly(output(0));
  }

  @Test
  void aConnectionIsKeptIfThereIsMoreToFetch() throws InterruptedException {
    sources = sources(LaneLimits.of(5, LaneLimits.ALL, LaneLimits.Memory.NONE));
    ready("host", 0);
    ready("host", 1);

    assertThat(sources.next().getBaseUrl())
        .isEqualTo("http://host:1/mapOutput?keepAlive=true&map=");
    assertThat(sources.next().getBaseUrl()).isEqualTo(URL);
  }

  @Test
  void connectionsThatAreEncryptedOrStocksAreNotKept() {
    assertThat(LaneHost.kept("https://host:1/mapOutput?map="))
        .isEqualTo("https://host:1/mapOutput?map=");
    sources =
        new Sources(
            new Lanes<>(1, LaneLimits.of(5, 0, LaneLimits.Memory.NONE), Gate.NEVER, new Random(1)),
            (host, url, output) -> {},
            SIZE_WAIT,
            () -> now);
    IntStream.range(0, 40).forEach(map -> ready("host", map));
    assertThat(sources.poll().orElseThrow().getBaseUrl()).isEqualTo(URL);
  }

  @Test
  void whatIsDoneObsoleteOrFailedIsNotAskedForAnyMore() throws InterruptedException {
    for (int map = 0; map < 4; map++) {
      sources.finished("host", URL, output(map));
      sources.ready("host", output(map), Optional.empty());
    }
    LaneHost lane = sources.next();
    sources.fetched(output(0));
    sources.obsolete(output(1));
    sources.failed(output(2).getTaskID());

    assertThat(lane.outputs(sources)).containsExactly(output(3));
  }

  @Test
  void whoeverAnswersFirstHasOneLaneUntilTheOthersHaveAnswered() {
    sources.finished("first", URL, output(0));
    sources.finished("second", URL, output(1));
    assertThat(sources.poll()).isEmpty();
    ready("first", 0);
    ready("first", 2);
    assertThat(sources.poll().orElseThrow().getHostName()).isEqualTo("first");
    assertThat(sources.poll()).isEmpty();

    tell("second", 1);
    assertThat(List.of(sources.poll().orElseThrow(), sources.poll().orElseThrow()))
        .extracting(LaneHost::getHostName)
        .containsExactlyInAnyOrder("first", "second");
  }

  @Test
  void nobodyWaitsForLong() {
    sources.finished("mute", URL, output(0));
    now += SIZE_WAIT.toMillis() - 1;
    sources.finished("host", URL, output(1));
    tell("host", 1);
    assertThat(sources.poll().orElseThrow().getHostName()).isEqualTo("host");
    assertThat(sources.poll()).isEmpty();

    now++;
    assertThat(sources.poll().orElseThrow().getHostName()).isEqualTo("mute");
  }

  @Test
  void aHostThatAnswersLaterIsNotWaitedFor() {
    ready("first", 0);
    sources.finished("second", URL, output(1));

    assertThat(sources.poll()).isPresent();
  }

  @Test
  void anOutputWhoseSizeNobodyTellsIsFetchedAfterAWhile() {
    sources.finished("mute", URL, output(0));
    assertThat(sources.poll()).isEmpty();

    now += SIZE_WAIT.toMillis();
    assertThat(sources.poll().orElseThrow().outputs(sources)).containsExactly(output(0));
    tell("mute", 0);
    assertThat(sources.poll()).isEmpty();
  }

  @Test
  void aSizeThatIsToldLateStillSaysHowMuchItsSenderHas() {
    sources.finished("slow", URL, output(0));
    now += SIZE_WAIT.toMillis();
    LaneHost lane = sources.poll().orElseThrow();
    sources.fetched(output(0));
    sources.free(lane);
    assertThat(sources.demand().own()).isZero();

    tell("slow", 0);
    assertThat(sources.demand().own()).isPositive();
    assertThat(sources.poll()).as("it is not fetched again").isEmpty();
  }

  @Test
  void aSizeOfWhatIsObsoleteSaysNothing() {
    sources.finished("slow", URL, output(0));
    now += SIZE_WAIT.toMillis();
    assertThat(sources.poll()).isPresent();
    sources.obsolete(output(0));

    tell("slow", 0);
    assertThat(sources.demand().own()).isZero();
    assertThat(sources.measured()).isZero();
  }

  @Test
  void ofSeveralLanesWhoseConnectionBreaksOneIsHeard() {
    ready("host", 0);
    ready("host", 1);
    LaneHost first = sources.poll().orElseThrow();
    LaneHost second = sources.poll().orElseThrow();

    assertThat(sources.accuse(first, output(0), true))
        .isEqualTo(new Sources.Blame(true, List.of(output(0))));
    assertThat(sources.accuse(second, output(1), true))
        .isEqualTo(new Sources.Blame(false, List.of()));
    sources.penalise("host").markAvailable();
    assertThat(sources.accuse(second, output(1), true))
        .as("the same failure, met after the penalty")
        .isEqualTo(new Sources.Blame(false, List.of()));
  }

  @Test
  void aLaneThatBeginsAfterAFailureMeetsAnother() {
    ready("host", 0);
    LaneHost first = sources.poll().orElseThrow();
    sources.accuse(first, output(0), true);
    sources.penalise("host");
    first.putBack(output(0));
    sources.free(first);
    assertThat(sources.poll()).isEmpty();
    sources.penalise("host").markAvailable();
    LaneHost again = sources.poll().orElseThrow();

    assertThat(sources.accuse(again, output(0), true).first()).isTrue();
  }

  @Test
  void noLaneBeginsOnceAFailureIsKnown() {
    ready("host", 0);
    ready("host", 1);
    LaneHost lane = sources.poll().orElseThrow();
    sources.accuse(lane, output(0), true);

    assertThat(sources.poll()).isEmpty();
  }

  @Test
  void aHostThatHasFailedHasOneLaneUntilSomethingComesFromIt() {
    IntStream.range(0, 4).forEach(map -> ready("host", map));
    LaneHost first = sources.poll().orElseThrow();
    sources.accuse(first, first.outputs(sources).get(0), true);
    first.putBack(first.outputs(sources).get(0));
    sources.free(first);
    sources.penalise("host").markAvailable();

    LaneHost again = sources.poll().orElseThrow();
    assertThat(sources.poll()).as("while nobody knows whether anything comes").isEmpty();
    ready("other", 4);
    assertThat(sources.poll().orElseThrow().getHostName()).isEqualTo("other");
    sources.fetched(again.outputs(sources).get(0));
    assertThat(sources.poll().orElseThrow().getHostName()).isEqualTo("host");
  }

  @Test
  void aHostThatBringsNoRangesIsAskedForWholeOutputsByOneLane() {
    for (int map = 0; map < 3; map++) {
      sources.finished("host", URL, output(map));
      sources.ready("host", output(map), Optional.of(large()));
    }
    LaneHost range = sources.poll().orElseThrow();
    assertThat(range.range()).isPresent();
    sources.standsStill("host");
    sources.undivide("host", range.range().orElseThrow().output());
    assertThat(sources.isUndivided("host")).isTrue();
    assertThat(sources.poll()).isEmpty();

    sources.free(range);
    for (int waiting = 2; waiting > 0; waiting--) {
      LaneHost whole = sources.poll().orElseThrow();
      assertThat(whole.range()).isEmpty();
      sources.fetched(whole.outputs(sources).get(0));
      sources.free(whole);
    }
    assertThat(sources.poll().orElseThrow().range()).isEmpty();
  }

  /** Or one that is bad would hold up all others of its host. */
  @Test
  void whatCannotBeFetchedWholeEitherComesLast() {
    for (int map = 0; map < 2; map++) {
      sources.finished("host", URL, output(map));
      sources.ready("host", output(map), Optional.of(large()));
    }
    LaneHost range = sources.poll().orElseThrow();
    TaskAttemptID bad = range.range().orElseThrow().output();
    sources.suspect("host");
    sources.undivide("host", bad);
    sources.free(range);
    LaneHost whole = sources.poll().orElseThrow();
    assertThat(whole.outputs(sources)).containsExactly(bad);
    sources.accuse(whole, bad, true);
    whole.putBack(bad);
    sources.free(whole);
    sources.penalise("host").markAvailable();

    assertThat(sources.poll().orElseThrow().range().orElseThrow().output()).isNotEqualTo(bad);
  }

  private static Sources.Size large() {
    return new Sources.Size(new Share(10 * MEGABYTES, 10 * MEGABYTES), MEGABYTES);
  }

  @Test
  void aHostThatIsBusyHasNotFailed() {
    ready("host", 0);
    ready("host", 1);
    LaneHost busy = sources.poll().orElseThrow();
    sources.penalise("host");
    assertThat(sources.accuse(busy, output(0), true).first()).isTrue();
  }

  @Test
  void ofAHostThatDoesNotAnswerAsManyOutputsCountAsARequestOfStocksAsksFor() {
    IntStream.range(0, 40).forEach(map -> ready("host", map));
    List<LaneHost> lanes =
        IntStream.range(0, 5).mapToObj(lane -> sources.poll().orElseThrow()).toList();

    List<TaskAttemptID> counted = new ArrayList<>();
    for (LaneHost lane : lanes) {
      for (TaskAttemptID output : lane.outputs(sources)) {
        counted.addAll(sources.accuse(lane, output, false).outputs());
      }
    }
    assertThat(counted).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  void outputsOfOneHostLeaveToOthersTheMemoryThatStartsAMerge() {
    sources = sources(LaneLimits.of(5, LaneLimits.ALL, MEMORY));
    IntStream.range(0, 10).forEach(map -> ready("host", map));

    assertThat(sources.poll()).isPresent();
    assertThat(sources.poll()).isPresent();
    assertThat(sources.poll()).isEmpty();
  }

  @Test
  void outputsInRangesHoldNoMemoryWhenNobodyNeedsThem() throws InterruptedException {
    sources = sources(LaneLimits.of(5, 0, MEMORY));
    for (int map = 0; map < 3; map++) {
      sources.finished("host", URL, output(map));
      sources.ready("host", output(map), Optional.of(divided()));
    }
    List<LaneHost> lanes = new ArrayList<>();
    for (Optional<LaneHost> lane = sources.poll(); lane.isPresent(); lane = sources.poll()) {
      lanes.add(lane.get());
    }
    assertThat(outputs(lanes)).containsOnly(output(0), output(1));

    sources.failed(output(0).getTaskID());
    lanes.forEach(sources::free);
    assertThat(outputs(List.of(sources.poll().orElseThrow()))).containsExactly(output(2));
  }

  /** Two requests. */
  private static Sources.Size divided() {
    return new Sources.Size(new Share(MEGABYTES, MEGABYTES), MEGABYTES);
  }

  private static List<TaskAttemptID> outputs(List<LaneHost> lanes) {
    return lanes.stream().flatMap(lane -> lane.chunk().parts().stream()).map(Part::output).toList();
  }

  @Test
  void whatSeveralLanesAskForCountsIfItIsNoMoreThanThat() {
    ready("host", 0);
    ready("host", 1);
    LaneHost first = sources.poll().orElseThrow();
    LaneHost second = sources.poll().orElseThrow();

    assertThat(sources.accuse(first, output(0), false).outputs()).containsExactly(output(0));
    assertThat(sources.accuse(second, output(1), false))
        .isEqualTo(new Sources.Blame(false, List.of(output(1))));
  }

  @Test
  void aHostIsPardonedWhenHadoopSaysSo() throws InterruptedException {
    ready("host", 0);
    ready("other", 1);
    sources.penalise("host").markAvailable();

    assertThat(List.of(sources.next().getHostName(), sources.next().getHostName()))
        .containsExactlyInAnyOrder("host", "other");
  }

  @Test
  void whatWasNotBroughtIsFetchedAgain() throws InterruptedException {
    sources = sources(LaneLimits.of(5, 0, MEMORY));
    ready("host", 0);
    LaneHost lane = sources.next();
    lane.putBack(output(0));
    sources.free(lane);
    assertThat(sources.poll()).as("while others make room in memory").isEmpty();

    now += 100;
    assertThat(sources.next().chunk().bytes()).isEqualTo(lane.chunk().bytes());
  }

  @Test
  void whileThereIsNoMemoryWhatHasSomeGoesOn() throws InterruptedException {
    sources = sources(LaneLimits.of(5, 0, MEMORY));
    sources.finished("begun", URL, output(0));
    sources.ready("begun", output(0), Optional.of(divided()));
    LaneHost begun = sources.next();
    ready("host", 1);
    LaneHost lane = sources.next();
    while (!lane.getHostName().equals("host")) {
      lane = sources.next();
    }
    lane.putBack(output(1));
    sources.free(lane);
    assertThat(sources.isShortOfMemory()).isTrue();
    assertThat(sources.poll()).as("whoever has begun it waits for memory, too").isEmpty();

    sources.housed(output(0));
    begun.putBack(output(0));
    sources.free(begun);
    assertThat(outputs(List.of(sources.poll().orElseThrow()))).containsExactly(output(0));
    assertThat(sources.poll().map(LaneHost::getHostName)).isNotEqualTo(Optional.of("host"));
  }

  @Test
  void allWaitsWhenEvenWhatNeedsNoMemoryGetsNone() throws InterruptedException {
    sources = sources(LaneLimits.of(5, LaneLimits.ALL, new LaneLimits.Memory(40, 20, 10)));
    for (int map = 0; map < 3; map++) {
      ready("host" + map, map);
    }
    LaneHost first = sources.next();
    first.outputs(sources).forEach(first::putBack);
    sources.free(first);
    LaneHost second = sources.poll().orElseThrow();
    second.outputs(sources).forEach(second::putBack);
    sources.free(second);
    assertThat(sources.poll()).isEmpty();

    now += 100;
    assertThat(sources.poll()).isPresent();
  }

  @Test
  void anOutputThatIsNotToBeDividedAnyMoreComesWhole() throws InterruptedException {
    sources.finished("host", URL, output(0));
    sources.ready("host", output(0), Optional.of(large()));
    LaneHost range = sources.next();
    assertThat(range.range()).isPresent();
    sources.undivide("host", output(0));
    sources.free(range);

    LaneHost whole = sources.next();
    assertThat(whole.range()).isEmpty();
    assertThat(whole.outputs(sources)).containsExactly(output(0));
  }
}
