package io.orchestra.hadoop.prefetch.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.prefetch.rpc.AgentProtocol;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.FinishedMapProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.InputBlockProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportResponseProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.MapFactsProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.RunningMapProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.TaskInputProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.WaitingMapProto;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReporterTest {
  private final FakeJob job = new FakeJob();
  private final List<JobReportProto> received = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();
  private final List<String> closed = new ArrayList<>();
  private boolean isBroken;
  private String active = "rm1";
  private long epoch = 7;
  private List<Integer> wanted = List.of();
  private boolean prompt;
  private long now = 10_000;
  private long nanos;
  private long lookNanos;
  private final Reporter reporter =
      new Reporter(
          () -> List.of(job.job()),
          new JobSurvey(job.inputs(), () -> now),
          new InputLookup(ReporterTest::blocks),
          List.of(() -> new FakeServer("rm1"), () -> new FakeServer("rm2")),
          () -> nanos += lookNanos);

  @Test
  void waitingMapsComeInTheirOrderWithTheirInput() {
    job.map(0, TaskAttemptState.STARTING).at("b", "/r1");
    job.map(1, TaskAttemptState.STARTING).at("a", "/r2");
    assertThat(reporter.report()).contains(Duration.ofMillis(700));

    assertThat(received.get(0).getWaitingList())
        .extracting(WaitingMapProto::getTask)
        .containsExactly(0, 1);
    assertThat(received.get(0).getWaiting(0).getFailedBefore()).isFalse();
    assertThat(received.get(0).getFactsList())
        .containsExactly(facts(0, "b", "/r1"), facts(1, "a", "/r2"));
  }

  /** The scheduler takes no report with more of them. */
  @Test
  void ofInputInVeryManyPlacesTheFirstAreTold() {
    job.map(0, TaskAttemptState.STARTING).at(places("h", 40), places("/r", 40));
    job.map(1, TaskAttemptState.STARTING).at(places("h", 20), places("/r", 20));
    reporter.report();

    assertThat(received.get(0).getFactsList())
        .extracting(MapFactsProto::getHostsCount, MapFactsProto::getRacksCount)
        .containsExactly(tuple(32, 0), tuple(20, 12));
  }

  private static Set<String> places(String name, int count) {
    return IntStream.range(0, count).mapToObj(number -> name + number).collect(Collectors.toSet());
  }

  private static MapFactsProto facts(int task, String host, String rack) {
    return MapFactsProto.newBuilder()
        .setTask(task)
        .addHosts(host)
        .addRacks(rack)
        .setInput(1000)
        .build();
  }

  @Test
  void mapsThatAreTriedAgainWaitBehindThoseThatAreNew() {
    job.map(0, TaskAttemptState.FAILED).attempt(TaskAttemptState.STARTING);
    job.map(1, TaskAttemptState.RUNNING).in(5).attempt(TaskAttemptState.STARTING);
    job.map(2, TaskAttemptState.STARTING);
    reporter.report();

    assertThat(received.get(0).getWaitingList())
        .extracting(WaitingMapProto::getTask)
        .containsExactly(2, 0, 1);
  }

  @Test
  void whatNeverChangesIsToldOnce() {
    FakeJob.FakeMap map = job.map(0, TaskAttemptState.STARTING);
    for (int report = 0; report < 3; report++) {
      reporter.report();
    }
    map.attempt(TaskAttemptState.STARTING);
    active = "nobody";
    reporter.report();
    active = "rm1";
    reporter.report();

    // Twice at first, as an epoch that is not known shows; and again when nobody knows who knows.
    assertThat(received).extracting(JobReportProto::getFactsCount).containsExactly(1, 1, 0, 1);
  }

  /** Only of the second map can anybody say what it reads. */
  private static List<InputBlockProto> blocks(Task map) throws IOException {
    if (map.getID().getId() != 1) {
      throw new IOException("made up");
    }
    return List.of(
        InputBlockProto.newBuilder()
            .setPool("pool")
            .setId(3)
            .setGenerationStamp(4)
            .setLength(1000)
            .setToken(ByteString.copyFromUtf8("token"))
            .build());
  }

  @Test
  void whatMapsReadIsToldOnceWhenItIsAskedFor() {
    job.map(0, TaskAttemptState.STARTING);
    job.map(1, TaskAttemptState.STARTING);
    wanted = List.of(0, 1, 99);
    reporter.report();
    assertThat(received.get(0).getInputsList()).isEmpty();

    wanted = List.of();
    await()
        .until(
            () -> {
              reporter.report();
              return received.get(received.size() - 1).getInputsCount() > 0;
            });
    TaskInputProto input = received.get(received.size() - 1).getInputs(0);
    assertThat(input.getTask()).isEqualTo(1);
    assertThat(input.getBlocks(0).getId()).isEqualTo(3);
    reporter.report();
    assertThat(received.get(received.size() - 1).getInputsList()).isEmpty();
  }

  @Test
  void thatAMapHasAContainerIsNewsIfSomebodyWantsToKnow() {
    FakeJob.FakeMap map = job.map(0, TaskAttemptState.STARTING);
    reporter.report();
    map.in(5);
    assertThat(reporter.hasNews()).isFalse();

    prompt = true;
    reporter.report();
    assertThat(reporter.hasNews()).as("it was told").isFalse();
    job.map(1, TaskAttemptState.STARTING).in(6);
    assertThat(reporter.hasNews()).as("it did not wait before").isFalse();

    FakeJob.FakeMap last = job.map(2, TaskAttemptState.STARTING);
    reporter.report();
    assertThat(reporter.hasNews()).isFalse();
    last.in(7);
    assertThat(reporter.hasNews()).isTrue();
  }

  @Test
  void thereMayBeNewsOfMapsThatReadAndIfSomebodyWantsToKnowOfThoseThatWait() {
    assertThat(reporter.mayHaveNews()).isFalse();
    FakeJob.FakeMap map = job.map(0, TaskAttemptState.STARTING);
    reporter.report();
    assertThat(reporter.mayHaveNews()).isFalse();
    prompt = true;
    reporter.report();
    assertThat(reporter.mayHaveNews()).isTrue();

    prompt = false;
    map.in(5);
    reporter.report();
    assertThat(reporter.mayHaveNews()).isTrue();
  }

  @Test
  void ofAJobWhoseMapsAreOverThereIsNoNews() {
    prompt = true;
    job.map(0, TaskAttemptState.SUCCEEDED).launched(1).finished(2);
    reporter.report();

    assertThat(reporter.mayHaveNews()).isFalse();
  }

  @Test
  void aJobThatCannotBeLookedAtIsNoNewsAndReportedLater() {
    FakeJob.FakeMap map = job.map(0, TaskAttemptState.RUNNING).in(5);
    reporter.report();
    map.counting(null);

    assertThat(reporter.hasNews()).isFalse();
    map.read(300);
    reporter.report();
    assertThat(received).hasSize(2);
  }

  @Test
  void aMapThatWasKilledDidNotFail() {
    job.map(0, TaskAttemptState.KILLED).attempt(TaskAttemptState.STARTING);
    reporter.report();

    assertThat(received.get(0).getWaiting(0).getFailedBefore()).isFalse();
  }

  /** As of splits that combine files. Before reduces the last third of the progress is sorting. */
  @ParameterizedTest
  @CsvSource({
    "0, 0.25, 250",
    "1, 0.3335, 500",
    "1, 0.8, 1000",
    "0, 2, 1000",
    "0, -1, 0",
    "0, NaN, 0"
  })
  void whereNoBytesAreCountedProgressTellsHowManyThereWere(int reduces, float progress, long read) {
    job.reduces(reduces);
    job.map(0, TaskAttemptState.RUNNING).in(5).progress(progress);
    reporter.report();

    assertThat(received.get(0).getRunning(0).getRead()).isEqualTo(read);
  }

  @Test
  void bytesThatAreCountedAreBelievedBeforeProgress() {
    job.map(0, TaskAttemptState.RUNNING).in(5).progress(0.25f).read(300);
    reporter.report();

    assertThat(received.get(0).getRunning(0).getRead()).isEqualTo(300);
  }

  @Test
  void theCountersOfTheJobStayAsTheyAre() {
    Counters counters = new Counters();
    job.map(0, TaskAttemptState.RUNNING).in(5).counting(counters);
    reporter.report();

    assertThat(counters.getGroupNames()).doesNotContain(FileInputFormatCounter.class.getName());
    assertThat(counters.countCounters()).isZero();
    assertThat(received.get(0).getRunning(0).getRead()).isZero();
  }

  @Test
  void whoTakesLongToLookLooksSeldom() {
    job.map(0, TaskAttemptState.STARTING);
    lookNanos = 100_000_000;

    assertThat(reporter.report()).as("it may have loaded classes").contains(Duration.ofMillis(700));
    for (int look = 0; look < 40; look++) {
      assertThat(reporter.report()).isPresent();
    }
    assertThat(reporter.report().orElseThrow())
        .isBetween(Duration.ofMillis(1900), Duration.ofSeconds(2));
  }

  @Test
  void aJobThatHasEndedIsNotReportedAnyMore() {
    job.map(0, TaskAttemptState.STARTING);
    assertThat(reporter.report()).isPresent();
    job.ended(JobState.KILLED);

    assertThat(reporter.report()).isEmpty();
    assertThat(received).hasSize(1);
  }

  @Test
  void aJobThatIsTooLargeIsNotLookedAt() {
    job.maps(AgentProtocol.MOST_MAPS + 1);

    assertThat(reporter.report()).isEmpty();
    assertThat(asked).isEmpty();
  }

  @Test
  void whomNobodyEverHeardGivesUp() {
    active = "nobody";
    int rounds = 1;
    while (reporter.report().isPresent()) {
      rounds++;
    }

    assertThat(rounds).isEqualTo(24);
  }

  @Test
  void whoWasHeardOnceTriesForEver() {
    reporter.report();
    active = "nobody";

    assertThat(IntStream.range(0, 100)).allMatch(round -> reporter.report().isPresent());
  }

  @Test
  void aMapThatFailedWaitsAsOneThatFailedBefore() {
    job.map(0, TaskAttemptState.FAILED).attempt(TaskAttemptState.STARTING);
    reporter.report();

    assertThat(received.get(0).getWaitingList())
        .singleElement()
        .satisfies(
            map -> {
              assertThat(map.getAttempt()).isEqualTo(1);
              assertThat(map.getFailedBefore()).isTrue();
            });
  }

  @Test
  void runningMapsTellHowFarTheyAre() {
    FakeJob.FakeMap map = job.map(0, TaskAttemptState.RUNNING).in(5).read(300).launched(9_400);
    reporter.report();
    now += 500;
    map.read(600);
    reporter.report();

    RunningMapProto running = received.get(1).getRunning(0);
    assertThat(running.getContainer()).isEqualTo(5);
    assertThat(running.getRead()).isEqualTo(600);
    assertThat(running.getMillisSinceLaunched()).isEqualTo(1_100);
    assertThat(running.getMillisSinceAssigned()).isEqualTo(500);
    assertThat(received.get(0).getRunning(0).getMillisSinceAssigned()).isZero();
  }

  @Test
  void betweenReportsItIsNotedWhenMapsHadReadSoMuch() {
    FakeJob.FakeMap map = job.map(0, TaskAttemptState.RUNNING).in(1).read(100).launched(9_000);
    reporter.report();
    map.read(200);
    now += 100;
    assertThat(reporter.hasNews()).isFalse();
    now += 300;
    assertThat(reporter.hasNews()).isFalse();
    reporter.report();

    RunningMapProto told = received.get(1).getRunning(0);
    assertThat(told.getRead()).isEqualTo(200);
    assertThat(told.getMillisSinceRead()).isEqualTo(300);
    assertThat(told.getMillisSinceLaunched()).isEqualTo(1400);
  }

  @Test
  void whetherAMapsHostHasItsInputIsTold() {
    job.map(0, TaskAttemptState.RUNNING).at("a", "/rack").in(5).runsOn("a");
    job.map(1, TaskAttemptState.RUNNING).at("a", "/rack").in(6).runsOn("b");
    job.map(2, TaskAttemptState.SUCCEEDED).at("a", "/rack").runsOn("a").launched(1).finished(2);
    job.map(3, TaskAttemptState.SUCCEEDED).at("a", "/rack").runsOn("b").launched(1).finished(2);
    reporter.report();

    assertThat(received.get(0).getRunningList())
        .extracting(RunningMapProto::getAway)
        .containsExactly(false, true);
    assertThat(received.get(0).getFinishedList())
        .extracting(FinishedMapProto::getAway)
        .containsExactly(false, true);
  }

  @Test
  void aFinishedMapIsToldUntilItHasArrivedOnce() {
    job.map(0, TaskAttemptState.SUCCEEDED).launched(1_000).finished(9_000);
    active = "nobody";
    reporter.report();
    active = "rm2";
    reporter.report();
    reporter.report();
    reporter.report();

    // The first answer shows an epoch that was not known; what it came for is told once more.
    assertThat(received).extracting(JobReportProto::getFinishedCount).containsExactly(1, 1, 0);
    assertThat(received.get(1).getFinishedList())
        .extracting(FinishedMapProto::getDurationMillis)
        .containsExactly(8_000L);
  }

  @Test
  void aResourceManagerThatStartedAnewIsToldEverythingAgain() {
    job.map(0, TaskAttemptState.SUCCEEDED).launched(1_000).finished(9_000);
    reporter.report();
    reporter.report();
    reporter.report();
    epoch = 8;
    reporter.report();
    reporter.report();

    assertThat(received)
        .extracting(JobReportProto::getFinishedCount)
        .containsExactly(1, 1, 0, 0, 1);
  }

  @Test
  void pausesGrowWhileNobodyAnswersAndAllResourceManagersAreTried() {
    active = "nobody";
    List<Long> pauses = new ArrayList<>();
    for (int attempt = 0; attempt < 8; attempt++) {
      pauses.add(reporter.report().orElseThrow().toMillis());
    }

    assertThat(pauses).containsExactly(1000L, 2000L, 4000L, 5000L, 5000L, 5000L, 5000L, 5000L);
    assertThat(asked).hasSize(16).startsWith("rm1", "rm2", "rm1", "rm2");
    active = "rm2";
    assertThat(reporter.report()).contains(Duration.ofMillis(700));
  }

  @Test
  void nothingIsSaidOfAJobOfWhichNobodyKnowsYetWhetherItIsUber() {
    job.ended(JobState.NEW);
    assertThat(reporter.report()).contains(Duration.ofMillis(500));
    assertThat(received).isEmpty();

    job.ended(JobState.RUNNING);
    reporter.report();
    assertThat(received).hasSize(1);
  }

  @Test
  void itLeavesTheResourceManagerAlsoAfterAnError() {
    isBroken = true;
    ReporterThread.run(reporter::report, reporter::mayHaveNews, reporter::hasNews);
    assertThat(asked).containsExactly("rm1");
    ReporterThread.end(
        () -> {
          throw new StackOverflowError("made up");
        },
        reporter);

    assertThat(closed).containsExactly("rm1");
  }

  @Test
  void anUberJobIsNotReported() {
    job.uber();

    assertThat(reporter.report()).isEmpty();
    assertThat(asked).isEmpty();
  }

  private final class FakeServer implements Reporter.Target {
    private final String name;

    private FakeServer(String name) {
      this.name = name;
    }

    @Override
    public JobReportResponseProto report(JobReportProto report) throws IOException {
      asked.add(name);
      if (!name.equals(active)) {
        throw new IOException(name + " is on standby");
      }
      if (isBroken) {
        throw new StackOverflowError("made up");
      }
      received.add(report);
      return JobReportResponseProto.newBuilder()
          .setEpoch(epoch)
          .setMillisToNext(700)
          .addAllWanted(wanted)
          .setPrompt(prompt)
          .build();
    }

    @Override
    public void close() {
      closed.add(name);
    }
  }
}
