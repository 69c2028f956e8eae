package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.prefetch.algorithm.completion.RecentMaps;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowContainer;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowTask;
import io.orchestra.hadoop.prefetch.resourcemanager.ReportedJob.Assigned;
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
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.junit.jupiter.api.Test;

final class JobReportsTest {
  private static final long SECOND = 1_000_000_000;
  private static final ApplicationAttemptId JOB =
      ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1);
  private static final ApplicationAttemptId OTHER =
      ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 2), 1);
  private static final ContainerId CONTAINER = ContainerId.newContainerId(JOB, 5);

  private final Jobs jobs = new Jobs();
  private final List<String> assigned = new ArrayList<>();
  private final List<String> reading = new ArrayList<>();
  private final List<String> ended = new ArrayList<>();
  private final List<Long> waitingSince = new ArrayList<>();
  private boolean live = true;
  private final Set<ContainerId> gone = new HashSet<>();
  private final Map<ApplicationAttemptId, String> users = new HashMap<>();
  private final Set<ApplicationAttemptId> running = new HashSet<>(Set.of(JOB, OTHER));
  private long now = 100 * SECOND;
  private long lastHeartbeat = 99 * SECOND;
  private final TaskInputs inputs = new TaskInputs(() -> now);
  private final JobReports.SchedulerView view =
      new JobReports.SchedulerView() {
        @Override
        public boolean isCurrent(ApplicationAttemptId master) {
          return running.contains(master);
        }

        @Override
        public boolean isLive(ContainerId container) {
          return live && !gone.contains(container);
        }

        @Override
        public long lastHeartbeat(ApplicationAttemptId master) {
          return lastHeartbeat;
        }

        @Override
        public String user(ApplicationAttemptId master) {
          return master.equals(OTHER) ? otherUser : users.getOrDefault(master, "user");
        }
      };
  private String otherUser = "other";
  private final JobReports reports = reports(false);

  private JobReports reports(boolean prompt) {
    return reports(prompt, Duration.ofMillis(500));
  }

  private JobReports reports(boolean prompt, Duration interval) {
    return new JobReports(
        jobs,
        view,
        () -> now,
        interval,
        prompt,
        3,
        hearing(
            (master, map) -> {
              assigned.add(
                  master + " " + map.attempt() + " " + map.hosts() + " " + map.nanos() / SECOND);
              waitingSince.add(map.waitingSince());
            }),
        inputs);
  }

  private JobReports.Assignments hearing(BiConsumer<ApplicationAttemptId, Assigned> launches) {
    return new JobReports.Assignments() {
      @Override
      public void assigned(ApplicationAttemptId master, List<Assigned> maps) {
        maps.forEach(map -> launches.accept(master, map));
      }

      @Override
      public void reading(ApplicationAttemptId master, Set<String> attempts) {
        attempts.forEach(attempt -> reading.add(master + " " + attempt));
      }

      @Override
      public void ended(ApplicationAttemptId master, Set<String> attempts) {
        attempts.forEach(attempt -> ended.add(master + " " + attempt));
      }
    };
  }

  @Test
  void waitingMapsKeepTheirOrderAndFailedOnesTheirOwnPriority() throws IOException {
    report(
        JobReportProto.newBuilder()
            .addFacts(facts(1).addHosts("a").addRacks("/r1"))
            .addFacts(facts(0).addHosts("a"))
            .addWaiting(waiting(1))
            .addWaiting(waiting(0).setAttempt(1).setFailedBefore(true)));

    assertThat(view().waitingMaps())
        .containsExactly(
            new ShadowTask(
                "attempt_1_0001_m_000001_0",
                ShadowTask.MAP,
                List.of("a"),
                List.of("/r1"),
                ShadowContainer.NEVER),
            new ShadowTask(
                "attempt_1_0001_m_000000_1",
                ShadowTask.FAILED_MAP,
                List.of("a"),
                List.of(),
                ShadowContainer.NEVER));
  }

  /** Until its reduces have ended it has nothing to tell. */
  @Test
  void aJobWhoseMapsAndContainersAreOverReportsLessOften() throws IOException {
    assertThat(response(JobReportProto.newBuilder()).getMillisToNext())
        .as("it may have its maps in a moment")
        .isEqualTo(500);
    assertThat(
            response(JobReportProto.newBuilder().addFacts(facts(0)).addRunning(running(0)))
                .getMillisToNext())
        .isEqualTo(500);
    assertThat(response(JobReportProto.newBuilder()).getMillisToNext())
        .as("when its container ends is of interest")
        .isEqualTo(500);

    gone.add(CONTAINER);
    assertThat(response(JobReportProto.newBuilder()).getMillisToNext()).isEqualTo(3000);
    assertThat(response(JobReportProto.newBuilder().addWaiting(waiting(0))).getMillisToNext())
        .isEqualTo(500);
  }

  @Test
  void attemptsAreNamedAsMapReduceNamesThem() throws IOException {
    report(JobReportProto.newBuilder().addFacts(facts(17)).addWaiting(waiting(17)));

    assertThat(view().waitingMaps().get(0).id())
        .isEqualTo(new TaskAttemptID("1", 1, TaskType.MAP, 17, 0).toString());
  }

  @Test
  void whatWasToldOfAMapOnceIsRemembered() throws IOException {
    report(JobReportProto.newBuilder().addFacts(facts(0).addHosts("a")).addWaiting(waiting(0)));
    report(JobReportProto.newBuilder().addWaiting(waiting(0)));

    assertThat(view().waitingMaps().get(0).hosts()).containsExactly("a");
  }

  @Test
  void aMapOfWhichNothingWasToldIsRefused() {
    assertThatThrownBy(() -> report(JobReportProto.newBuilder().addWaiting(waiting(3))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the map 3");
  }

  @Test
  void noJobSpeaksOfAnothersMapsOrContainers() throws IOException {
    JobReportProto report =
        JobReportProto.newBuilder()
            .addFacts(facts(0))
            .addFacts(facts(1))
            .addWaiting(waiting(0))
            .addRunning(running(1))
            .build();
    reports.report(JOB, report);
    reports.report(OTHER, report);

    assertThat(view().waitingMaps()).extracting(ShadowTask::id).containsExactly(attempt(0));
    JobView other = jobs.view(OTHER).orElseThrow();
    assertThat(other.waitingMaps())
        .extracting(ShadowTask::id)
        .containsExactly("attempt_1_0002_m_000000_0");
    assertThat(other.reported()).containsExactly(ContainerId.newContainerId(OTHER, 5));
    assertThat(view().reported()).containsExactly(CONTAINER);
  }

  @Test
  void aRunningMapsEndIsForetoldFromItsProgress() throws IOException {
    report(JobReportProto.newBuilder().addFacts(facts(0)));
    for (int report = 1; report <= 3; report++) {
      report(
          JobReportProto.newBuilder()
              .addRunning(
                  running(0).setRead(100L * report).setMillisSinceLaunched(1000L * report)));
    }

    // Launched at 101 s, it reads 100 bytes a second of 1000.
    assertThat(view().ends()).containsEntry(CONTAINER, 111 * SECOND);
  }

  @Test
  void whenSoMuchWasReadIsToldAndNotTakenForTheTimeOfTheReport() throws IOException {
    report(JobReportProto.newBuilder().addFacts(facts(0)));
    long[] late = {300, 50, 200};
    for (int report = 1; report <= 3; report++) {
      report(
          JobReportProto.newBuilder()
              .addRunning(
                  running(0)
                      .setRead(100L * report)
                      .setMillisSinceLaunched(1000L * report + late[report - 1])
                      .setMillisSinceRead(late[report - 1])));
    }

    // Launched 3.2 s before the last report, it takes ten.
    assertThat(view().ends().get(CONTAINER) - now).isBetween(6_799_000_000L, 6_801_000_000L);
  }

  @Test
  void finishedMapsSayHowLongOthersTake() throws IOException {
    report(
        JobReportProto.newBuilder()
            .addFacts(facts(0))
            .addFacts(facts(1))
            .addFacts(facts(2))
            .addFinished(finished(0, 8000))
            .addWaiting(waiting(1))
            .addRunning(running(2)));

    assertThat(view().waitingMaps().get(0).nanosHere()).isEqualTo(8 * SECOND);
    assertThat(view().ends()).containsEntry(CONTAINER, now + 8 * SECOND);
  }

  @Test
  void finishedMapsAwayFromTheirInputSayHowLongOthersThereTake() throws IOException {
    report(
        JobReportProto.newBuilder()
            .addFacts(facts(0))
            .addFacts(facts(1))
            .addFacts(facts(2))
            .addFacts(facts(3))
            .addFinished(finished(0, 8000))
            .addFinished(finished(3, 20_000).setAway(true))
            .addWaiting(waiting(1))
            .addRunning(running(2).setAway(true)));

    assertThat(view().waitingMaps().get(0).nanosHere()).isEqualTo(8 * SECOND);
    assertThat(view().waitingMaps().get(0).nanosElsewhere()).isEqualTo(20 * SECOND);
    assertThat(view().ends()).containsEntry(CONTAINER, now + 20 * SECOND);
  }

  @Test
  void mapsOfTheSameUsersEarlierJobsSayHowLongTheFirstOnesTake() throws IOException {
    report(JobReportProto.newBuilder().addFacts(facts(0)).addFinished(finished(0, 8000)));
    JobReportProto first =
        JobReportProto.newBuilder().addFacts(facts(1)).addWaiting(waiting(1)).build();
    reports.report(OTHER, first);
    assertThat(jobs.view(OTHER).orElseThrow().waitingMaps().get(0).nanosHere())
        .isEqualTo(ShadowContainer.NEVER);

    reports.forget(OTHER);
    otherUser = "user";
    reports.report(OTHER, first);
    assertThat(jobs.view(OTHER).orElseThrow().waitingMaps().get(0).nanosHere())
        .isEqualTo(8 * SECOND);
  }

  @Test
  void numbersOutOfReasonAreCutOff() throws IOException {
    report(
        JobReportProto.newBuilder()
            .addFacts(facts(0).setInput(Long.MAX_VALUE))
            .addFacts(facts(1))
            .addFinished(finished(1, -1))
            .addFacts(facts(2))
            .addFinished(finished(2, Long.MAX_VALUE).setAttempt(1))
            .addWaiting(waiting(0))
            .addRunning(running(1).setRead(-1).setMillisSinceAssigned(-1)));

    assertThat(view().waitingMaps().get(0).nanosHere()).isBetween(0L, Duration.ofDays(7).toNanos());
    assertThat(view().ends().get(CONTAINER)).isGreaterThan(now);
  }

  @Test
  void mapsThatGotTheirContainersSinceTheLastHeartbeatAreServed() throws IOException {
    lastHeartbeat = 100 * SECOND;
    report(
        JobReportProto.newBuilder()
            .addFacts(facts(0))
            .addFacts(facts(1))
            .addRunning(running(0).setMillisSinceAssigned(400))
            .addRunning(running(1).setMillisSinceAssigned(1400)));

    assertThat(view().served()).extracting(ShadowTask::id).containsExactly(attempt(0));
  }

  @Test
  void oneThatFailedBeforeIsServedAtThePriorityAtWhichItWaited() throws IOException {
    report(
        JobReportProto.newBuilder()
            .addFacts(facts(0))
            .addFacts(facts(1))
            .addWaiting(waiting(0).setFailedBefore(true))
            .addWaiting(waiting(1)));
    for (int report = 0; report < 2; report++) {
      report(
          JobReportProto.newBuilder()
              .addRunning(running(0).setMillisSinceAssigned(0))
              .addRunning(running(1).setMillisSinceAssigned(0).setContainer(6)));

      assertThat(view().served())
          .extracting(ShadowTask::priority)
          .containsExactly(ShadowTask.FAILED_MAP, ShadowTask.MAP);
    }
  }

  @Test
  void ofEachAssignmentIsToldOnce() throws IOException {
    report(JobReportProto.newBuilder().addFacts(facts(0).addHosts("a")));
    for (int report = 0; report < 3; report++) {
      report(JobReportProto.newBuilder().addRunning(running(0)));
    }

    assertThat(assigned).containsExactly(JOB + " " + attempt(0) + " [a] 97");
  }

  @Test
  void ofEachAssignmentIsToldSinceWhenItsMapHadWaited() throws IOException {
    report(JobReportProto.newBuilder().addFacts(facts(0)).addWaiting(waiting(0)));
    long told = now;
    report(JobReportProto.newBuilder().addFacts(facts(1)).addWaiting(waiting(0)));
    report(
        JobReportProto.newBuilder().addRunning(running(0)).addRunning(running(1).setContainer(6)));

    assertThat(waitingSince).containsExactly(told, now);
  }

  @Test
  void whenMapsOfTheFirstReportGotTheirContainersNobodyKnows() throws IOException {
    report(JobReportProto.newBuilder().addFacts(facts(0)).addRunning(running(0)));
    report(JobReportProto.newBuilder().addRunning(running(0)));

    assertThat(assigned).isEmpty();
  }

  @Test
  void aContainerIsKnownUntilItHasEndedAlthoughItsMapHasFinished() throws IOException {
    report(JobReportProto.newBuilder().addFacts(facts(0)).addRunning(running(0)));
    report(JobReportProto.newBuilder());
    assertThat(view().reported()).containsExactly(CONTAINER);

    live = false;
    report(JobReportProto.newBuilder());
    assertThat(view().reported()).isEmpty();
  }

  @Test
  void theJobIsAskedForInputsAndTheyAreKnownUntilItEnds() throws IOException {
    inputs.want(JOB.getApplicationId().toString(), 0);
    JobReportProto report =
        JobReportProto.newBuilder().addFacts(facts(0)).addWaiting(waiting(0)).build();
    assertThat(reports.report(JOB, report).getWantedList()).containsExactly(0);

    now += SECOND;
    TaskInputProto input = TaskInputProto.newBuilder().setTask(0).build();
    assertThat(reports.report(JOB, report.toBuilder().addInputs(input).build()).getWantedList())
        .isEmpty();
    assertThat(inputs.of(JOB.getApplicationId().toString(), 0)).contains(List.of());
    running.remove(JOB);
    reports.forgetEnded();
    assertThat(inputs.of(JOB.getApplicationId().toString(), 0)).isEmpty();
  }

  @Test
  void whoeverWantsToKnowSoonAsksBeforeAnythingIsForetold() throws IOException {
    JobReports prompt = reports(true);
    JobReportProto.Builder report = JobReportProto.newBuilder();
    for (int map = 0; map < 30; map++) {
      report.addFacts(facts(map)).addWaiting(waiting(map));
    }
    JobReportResponseProto response = prompt.report(JOB, report.build());

    assertThat(response.getPrompt()).isTrue();
    assertThat(response.getWantedList()).hasSize(20).startsWith(0, 1, 2);
    now += SECOND / 10;
    prompt.report(JOB, report.build());
  }

  @Test
  void whoeverDoesNotRunIsNotHeard() {
    running.remove(JOB);

    assertThatThrownBy(() -> report(JobReportProto.newBuilder()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not running");
    assertThat(jobs.isEmpty()).isTrue();
  }

  @Test
  void whatIsTooMuchIsRefused() {
    assertRefused(
        JobReportProto.newBuilder()
            .addAllWaiting(Collections.nCopies(AgentProtocol.MOST_MAPS + 1, waiting(0).build())),
        "more than");
    assertRefused(
        JobReportProto.newBuilder()
            .addAllInputs(
                Collections.nCopies(
                    AgentProtocol.MOST_MAPS + 1, TaskInputProto.newBuilder().setTask(0).build())),
        "more than");
    assertRefused(
        JobReportProto.newBuilder()
            .addFacts(
                facts(0).addAllHosts(Collections.nCopies(AgentProtocol.MOST_PLACES + 1, "a"))),
        "places");
    assertRefused(
        JobReportProto.newBuilder()
            .addFacts(facts(0).addRacks("/".repeat(ReportLimits.LONGEST_PLACE + 1))),
        "characters");
    assertRefused(JobReportProto.newBuilder().addFacts(facts(0).setInput(-1)), "bytes");
    assertRefused(JobReportProto.newBuilder().addFacts(facts(-1)), "map -1");
    assertRefused(JobReportProto.newBuilder().addFacts(facts(AgentProtocol.MOST_MAPS)), "map");
    assertRefused(
        JobReportProto.newBuilder()
            .addInputs(TaskInputProto.newBuilder().setTask(AgentProtocol.MOST_MAPS)),
        "map");
    assertRefused(
        JobReportProto.newBuilder().addFacts(facts(0)).addWaiting(waiting(0).setAttempt(-1)),
        "attempt -1");
    JobReportProto.Builder manyTimes = JobReportProto.newBuilder().addFacts(facts(0));
    for (int attempt = 0; attempt < 5; attempt++) {
      manyTimes.addWaiting(waiting(0).setAttempt(attempt));
    }
    assertRefused(manyTimes, "more than 4 attempts of the map 0");
    assertThat(jobs.isEmpty()).isTrue();
  }

  private void assertRefused(JobReportProto.Builder report, String because) {
    assertThatThrownBy(() -> report(report))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(JOB.toString())
        .hasMessageContaining(because);
  }

  @Test
  void whoReportsTooOftenIsRefused() throws IOException {
    report(JobReportProto.newBuilder());
    now -= SECOND - 200_000_000;

    assertRefused(JobReportProto.newBuilder(), "sooner");
    now += SECOND;
    report(JobReportProto.newBuilder());
  }

  @Test
  void whoTellsOfContainersAtOnceMayDoSoWheneverHeLooks() throws IOException {
    JobReports prompt = reports(true, Duration.ofMinutes(1));
    JobReportProto report = JobReportProto.getDefaultInstance();
    prompt.report(JOB, report);
    now += 79_999_999;
    assertThatThrownBy(() -> prompt.report(JOB, report)).hasMessageContaining("sooner");

    now += 1;
    prompt.report(JOB, report);
  }

  @Test
  void mapsThatHaveBegunToReadAreToldOfOnce() throws IOException {
    report(
        JobReportProto.newBuilder()
            .addFacts(facts(0))
            .addFacts(facts(1))
            .addRunning(running(0).setMillisSinceLaunched(100_000))
            .addRunning(running(1)));
    assertThat(reading).isEmpty();
    for (int report = 1; report <= 2; report++) {
      now += SECOND;
      report(
          JobReportProto.newBuilder()
              .addRunning(running(0).setRead(100).setMillisSinceRead(0))
              .addRunning(running(1)));
    }
    assertThat(reading).containsExactly(JOB + " attempt_1_0001_m_000000_0");
  }

  @Test
  void mapsEndWhenTheyAreToldOfNoMoreAndWithTheirJob() throws IOException {
    report(
        JobReportProto.newBuilder()
            .addFacts(facts(0))
            .addFacts(facts(1))
            .addRunning(running(0))
            .addRunning(running(1)));
    now += SECOND;
    report(JobReportProto.newBuilder().addRunning(running(1)));
    assertThat(ended).containsExactly(JOB + " attempt_1_0001_m_000000_0");
    now += SECOND;
    report(JobReportProto.newBuilder().addRunning(running(1)));
    assertThat(ended).as("once").hasSize(1);

    running.remove(JOB);
    reports.forgetEnded();
    assertThat(ended).endsWith(JOB + " attempt_1_0001_m_000001_0").hasSize(2);
  }

  /** Names that nobody verifies would pile up otherwise. */
  @Test
  void aReportThatIsRefusedChangesNothing() throws IOException {
    report(JobReportProto.newBuilder().addFacts(facts(0)).addRunning(running(0)));
    assertRefused(JobReportProto.newBuilder().addFinished(finished(7, 1000)), "the map 7");
    assertRefused(
        JobReportProto.newBuilder().addFacts(facts(1)).addRunning(running(8)), "the map 8");
    InputBlockProto.Builder block =
        InputBlockProto.newBuilder()
            .setPool("pool")
            .setId(1)
            .setGenerationStamp(1)
            .setLength(-1)
            .setToken(ByteString.EMPTY);
    assertRefused(
        JobReportProto.newBuilder()
            .addFacts(facts(1))
            .addInputs(TaskInputProto.newBuilder().setTask(1).addBlocks(block)),
        "the input of 1");
    assertRefused(JobReportProto.newBuilder().addWaiting(waiting(1)), "the map 1");
    report(JobReportProto.newBuilder().addRunning(running(0)));

    assertThat(ended).isEmpty();
    assertThat(assigned).isEmpty();
    assertThat(view().reported()).containsExactly(CONTAINER);
  }

  @Test
  void aMapWhoseContainerIsGoneHasEndedWhateverItsMasterSays() throws IOException {
    report(JobReportProto.newBuilder().addFacts(facts(0)).addRunning(running(0)));
    gone.add(CONTAINER);
    for (int report = 0; report < 2; report++) {
      report(JobReportProto.newBuilder().addRunning(running(0)));
      assertThat(ended).containsExactly(JOB + " attempt_1_0001_m_000000_0");
    }
    running.remove(JOB);
    reports.forgetEnded();

    assertThat(ended).as("once").hasSize(1);
  }

  @Test
  void aMapWhoseContainerIsGoneHasEndedThoughItIsSaidToRunInAnotherOne() throws IOException {
    report(JobReportProto.newBuilder().addFacts(facts(0)).addRunning(running(0)));
    report(JobReportProto.newBuilder().addRunning(running(0).setContainer(6)));
    assertThat(ended).isEmpty();

    gone.add(CONTAINER);
    report(JobReportProto.newBuilder().addRunning(running(0).setContainer(6)));
    assertThat(ended).containsExactly(JOB + " attempt_1_0001_m_000000_0");
  }

  @Test
  void aMapWhoseContainerIsGoneHasEndedAlsoIfItsMasterIsSilent() throws IOException {
    report(JobReportProto.newBuilder().addFacts(facts(0)).addRunning(running(0)));
    now += 61 * SECOND;
    reports.forgetEnded();
    assertThat(ended).isEmpty();

    gone.add(CONTAINER);
    reports.forgetEnded();
    assertThat(ended).containsExactly(JOB + " attempt_1_0001_m_000000_0");
  }

  @Test
  void whoHearsOfALaunchFindsItInTheJobsView() throws IOException {
    List<List<ShadowTask>> waiting = new ArrayList<>();
    JobReports hearing =
        new JobReports(
            jobs,
            view,
            () -> now,
            Duration.ofMillis(500),
            false,
            3,
            hearing((master, map) -> waiting.add(view().waitingMaps())),
            inputs);
    JobReportProto.Builder report = JobReportProto.newBuilder().addFacts(facts(0));
    hearing.report(JOB, report.addWaiting(waiting(0)).build());
    now += SECOND;
    hearing.report(JOB, JobReportProto.newBuilder().addRunning(running(0)).build());

    assertThat(waiting).containsExactly(List.of());
  }

  @Test
  void allJobsTogetherAreBoundedUntilOneEnds() throws IOException {
    JobReportProto large = largeReport();
    List<ApplicationAttemptId> full = fill(large, job -> "user " + job.getApplicationId().getId());
    assertThat(full).hasSizeGreaterThan(3);
    now += SECOND;
    reports.report(full.get(0), large);

    running.remove(full.get(0));
    reports.forgetEnded();
    reports.report(JOB, large);
  }

  @Test
  void noUserKeepsAnothersJobsFromBeingHeard() throws IOException {
    List<ApplicationAttemptId> full = fill(largeReport(), job -> "user");
    assertRefused(JobReportProto.newBuilder(largeReport()), "one user's");

    reports.report(OTHER, largeReport());
    assertThat(full).isNotEmpty();
  }

  /** Jobs report until one is refused. */
  private List<ApplicationAttemptId> fill(
      JobReportProto report, Function<ApplicationAttemptId, String> user) {
    List<ApplicationAttemptId> full = new ArrayList<>();
    for (int number = 10; number < 10_000; number++) {
      ApplicationAttemptId job =
          ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, number), 1);
      users.put(job, user.apply(job));
      running.add(job);
      try {
        reports.report(job, report);
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("remembered");
        return full;
      }
      full.add(job);
    }
    throw new AssertionError("nobody is refused");
  }

  @Test
  void whatIsToldAgainTakesNoMoreOfTheMemory() throws IOException {
    JobReportProto large = largeReport();
    for (int report = 0; report < 50; report++) {
      report(large.toBuilder());
    }
    running.remove(JOB);
    reports.forgetEnded();
    running.add(JOB);
    int full = fill(large, job -> "user").size();

    assertThat(full).isEqualTo((int) (JobReports.MOST_BYTES / 2 / size(large)));
  }

  /** It is of its inputs alone that nothing is known then. */
  @Test
  void aReportWhoseInputsHaveNoRoomIsTakenInWithoutThem() throws IOException {
    JobReportProto.Builder report = JobReportProto.newBuilder().addFacts(facts(0));
    InputBlockProto block =
        InputBlockProto.newBuilder()
            .setPool("pool")
            .setId(1)
            .setGenerationStamp(1)
            .setLength(1)
            .setToken(ByteString.copyFrom(new byte[1000]))
            .build();
    for (int map = 0; map < TaskInputs.MOST_BYTES / 1000; map++) {
      report.addInputs(TaskInputProto.newBuilder().setTask(map).addBlocks(block));
    }
    long most = JobReports.MOST_BYTES / 2 / TaskInputs.MOST_BYTES;
    ApplicationAttemptId last = JOB;
    for (int number = 0; number <= most; number++) {
      last = ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 10 + number), 1);
      users.put(last, "user");
      running.add(last);
      JobReportResponseProto unused = reports.report(last, report.build());
    }

    assertThat(jobs.view(last)).isPresent();
    for (int map = 0; map < report.getInputsCount(); map++) {
      assertThat(inputs.of(last.getApplicationId().toString(), map)).isEmpty();
    }
  }

  private static long size(JobReportProto report) {
    return new ReportedJob(JOB, new RecentMaps()).size(report);
  }

  @Test
  void listsOfMapsTakeMemoryToo() throws IOException {
    JobReportProto.Builder report = JobReportProto.newBuilder().addFacts(facts(0));
    JobReportProto few = report.build();
    report.addAllWaiting(Collections.nCopies(AgentProtocol.MOST_MAPS, waiting(0).build()));

    assertThat(size(report.build()) - size(few)).isGreaterThan(100L * AgentProtocol.MOST_MAPS);
  }

  @Test
  void aMapsFactsAreToldOnceInAReport() {
    assertRefused(JobReportProto.newBuilder().addFacts(facts(0)).addFacts(facts(0)), "twice");
  }

  @Test
  void manyMapsInOneContainerAreOneAssignment() throws IOException {
    JobReportProto.Builder facts = JobReportProto.newBuilder();
    JobReportProto.Builder all = JobReportProto.newBuilder();
    for (int map = 0; map < 9; map++) {
      facts.addFacts(facts(map));
      all.addRunning(running(map));
    }
    report(facts);
    for (int round = 0; round < 3; round++) {
      report(all.clone());
      report(JobReportProto.newBuilder());
    }

    assertThat(assigned).hasSize(1);
  }

  @Test
  void aContainerThatDoesNotExistIsNoAssignment() throws IOException {
    gone.add(CONTAINER);
    report(JobReportProto.newBuilder().addFacts(facts(0)));
    report(JobReportProto.newBuilder().addRunning(running(0)));

    assertThat(assigned).isEmpty();
  }

  @Test
  void whatIsWantedOfAJobThatHasEndedIsForgotten() {
    inputs.want(JOB.getApplicationId().toString(), 0);
    reports.forgetEnded();

    assertThat(inputs.takeWanted(JOB.getApplicationId().toString())).isEmpty();
  }

  private static JobReportProto largeReport() {
    JobReportProto.Builder report = JobReportProto.newBuilder();
    String place = "h".repeat(ReportLimits.LONGEST_PLACE);
    for (int map = 0; map < 1_500; map++) {
      report.addFacts(
          facts(map).addAllHosts(Collections.nCopies(AgentProtocol.MOST_PLACES, place)));
    }
    return report.build();
  }

  /** Its node may be gone: what it said would be taken for the truth until it has expired. */
  @Test
  void whatASilentOneSaidIsNotBelievedForLong() throws IOException {
    report(JobReportProto.newBuilder().addFacts(facts(0)));
    report(JobReportProto.newBuilder().addRunning(running(0)));
    now += 60 * SECOND;
    reports.forgetEnded();
    assertThat(jobs.view(JOB)).isPresent();

    now += SECOND;
    reports.forgetEnded();
    assertThat(jobs.view(JOB)).isEmpty();
    assertThat(ended).as("nobody knows").isEmpty();

    report(JobReportProto.newBuilder().addRunning(running(0)));
    assertThat(jobs.view(JOB)).isPresent();
    assertThat(assigned).as("once").hasSize(1);
    assertThat(jobs.heard()).as("once").isEqualTo(1);
  }

  @Test
  void aReportThatIsRefusedDoesNotMakeAnOlderOneYounger() throws IOException {
    report(JobReportProto.newBuilder().addFacts(facts(0)).addRunning(running(0)));
    now += 61 * SECOND;
    assertRefused(JobReportProto.newBuilder().addWaiting(waiting(9)), "no facts");
    reports.forgetEnded();

    assertThat(jobs.view(JOB)).isEmpty();
  }

  @Test
  void whatAnEarlierAttemptToldOfItsInputsHoldsForTheNext() throws IOException {
    ApplicationAttemptId second = ApplicationAttemptId.newInstance(JOB.getApplicationId(), 2);
    running.add(second);
    report(JobReportProto.newBuilder().addFacts(facts(0)));
    reports.report(second, JobReportProto.getDefaultInstance());
    inputs.want(JOB.getApplicationId().toString(), 0);
    running.remove(JOB);
    reports.forgetEnded();

    assertThat(inputs.takeWanted(JOB.getApplicationId().toString())).containsExactly(0);
  }

  @Test
  void aJobThatIsForgottenStartsAnew() throws IOException {
    report(JobReportProto.newBuilder().addFacts(facts(0)).addFinished(finished(0, 8000)));
    reports.forget(JOB);
    assertThat(jobs.isEmpty()).isTrue();

    assertRefused(JobReportProto.newBuilder().addWaiting(waiting(0)), "no facts");
  }

  @Test
  void theEndOfOneAttemptIsNotThatOfTheNext() throws IOException {
    ApplicationAttemptId second = ApplicationAttemptId.newInstance(JOB.getApplicationId(), 2);
    running.add(second);
    report(JobReportProto.newBuilder());
    reports.report(second, JobReportProto.getDefaultInstance());
    reports.forget(JOB);

    assertThat(jobs.view(JOB)).isEmpty();
    assertThat(jobs.view(second)).isPresent();
  }

  /** One second after the last. */
  private void report(JobReportProto.Builder report) throws IOException {
    assertThat(response(report).getEpoch()).isEqualTo(3);
  }

  private JobReportResponseProto response(JobReportProto.Builder report) throws IOException {
    now += SECOND;
    return reports.report(JOB, report.build());
  }

  private JobView view() {
    return jobs.view(JOB).orElseThrow();
  }

  private static String attempt(int task) {
    return "attempt_1_0001_m_00000%d_0".formatted(task);
  }

  private static MapFactsProto.Builder facts(int task) {
    return MapFactsProto.newBuilder().setTask(task).setInput(1000);
  }

  private static WaitingMapProto.Builder waiting(int task) {
    return WaitingMapProto.newBuilder().setTask(task).setAttempt(0).setFailedBefore(false);
  }

  private static RunningMapProto.Builder running(int task) {
    return RunningMapProto.newBuilder()
        .setTask(task)
        .setAttempt(0)
        .setContainer(5)
        .setRead(0)
        .setMillisSinceAssigned(5000);
  }

  private static FinishedMapProto.Builder finished(int task, long millis) {
    return FinishedMapProto.newBuilder().setTask(task).setAttempt(0).setDurationMillis(millis);
  }
}
