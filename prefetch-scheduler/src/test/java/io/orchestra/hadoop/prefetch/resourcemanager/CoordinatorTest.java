package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.util.concurrent.Uninterruptibles;
import io.orchestra.hadoop.prefetch.FlexFetchScheduler;
import io.orchestra.hadoop.prefetch.SourceMetrics;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Hindsight.Score;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Locality;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Prediction;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowTask;
import io.orchestra.hadoop.prefetch.rpc.AgentClient;
import io.orchestra.hadoop.prefetch.rpc.DaemonClient;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.InputBlockProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportResponseProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.MapFactsProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.RunningMapProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.TaskInputProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.WaitingMapProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.DaemonProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.StartProto;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.Thread.State;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptRemovedSchedulerEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From an application master's report, through the port, to the launch that is foretold. */
final class CoordinatorTest {
  private static final String HOST = "127.0.0.1";
  private static final String MAP = "attempt_1_0001_m_000000_0";
  private static final Resource SIZE = Resource.newInstance(1024, 1);
  private static final JobReportProto REPORT =
      JobReportProto.newBuilder()
          .addWaiting(WaitingMapProto.newBuilder().setTask(0).setAttempt(0).setFailedBefore(false))
          .addFacts(
              MapFactsProto.newBuilder()
                  .setTask(0)
                  .addHosts("another")
                  .addRacks("/rack2")
                  .setInput(1000))
          .build();

  private static final TaskInputProto INPUT =
      TaskInputProto.newBuilder()
          .setTask(0)
          .addBlocks(
              InputBlockProto.newBuilder()
                  .setPool("pool")
                  .setId(3)
                  .setGenerationStamp(4)
                  .setLength(1000)
                  .addReplicas("source")
                  .setToken(ByteString.copyFromUtf8("secret")))
          .build();

  private final RealScheduler real =
      new RealScheduler(
          FlexFetchScheduler.class,
          "<?xml version=\"1.0\"?><allocations><queue name=\"q\"/></allocations>",
          Map.of(
              "orchestra.prefetch.interval",
              "100ms",
              "orchestra.prefetch.agent.interval",
              "100ms"));
  private final Coordinator coordinator = started();
  private ApplicationAttemptId master;

  private Coordinator started() {
    real.scheduler().start();
    return ((FlexFetchScheduler) real.scheduler()).coordinator().orElseThrow();
  }

  @BeforeEach
  void submit() {
    real.addNode(HOST, "/rack1", Resource.newInstance(4096, 8));
    master = real.submit(1, "root.q", SIZE);
    real.scheduler().update();
    real.heartbeat(HOST, List.of());
    assertThat(real.allocate(master, List.of(), List.of())).as("its own container").hasSize(1);
    real.allocate(
        master,
        List.of(
            RealScheduler.request(20, "another", SIZE, 1),
            RealScheduler.request(20, "/rack2", SIZE, 1),
            RealScheduler.request(20, ResourceRequest.ANY, SIZE, 1)),
        List.of());
    real.scheduler().update();
  }

  /** A node that is silent for five seconds is taken for full, however long a test waits. */
  private void until(BooleanSupplier condition) {
    await()
        .until(
            () -> {
              real.beat(HOST);
              return condition.getAsBoolean();
            });
  }

  @AfterEach
  void stop() {
    real.close();
  }

  @Test
  void aMapThatIsReportedIsForetoldOnTheNodeThatHasRoom() throws IOException {
    try (AgentClient client = client(master)) {
      assertThat(client.report(REPORT).getMillisToNext()).isEqualTo(100);
    }

    until(() -> !predictions().isEmpty());
    assertThat(predictions())
        .extracting(Prediction::node, Prediction::task, Prediction::locality)
        .containsExactly(tuple(HOST, MAP, Locality.OFF_SWITCH));
  }

  @Test
  void itKnowsInHindsightWhetherALaunchWasForetold() throws IOException {
    try (AgentClient client = client(master)) {
      client.report(REPORT).getEpoch();
      until(() -> !predictions().isEmpty());
      real.heartbeat(HOST, List.of());
      ContainerId container = real.allocate(master, List.of(), List.of()).get(0).getId();

      report(client, running(container));
    }

    // On the right node, but two seconds of lead are what is of use.
    Score score = coordinator.speculation().score();
    assertThat(score.missed()).isZero();
    assertThat(score.right() + score.late()).isEqualTo(1);
    assertThat(metric("Late") + metric("Right")).isEqualTo(1);
    assertThat(metric("Runs")).isPositive();
  }

  @Test
  void anApplicationMasterIsCountedOnceHoweverOftenItReports() throws IOException {
    assertThat(metric("JobsHeard")).isZero();

    try (AgentClient client = client(master)) {
      report(client, REPORT);
      report(client, REPORT);
    }

    assertThat(metric("JobsHeard")).isEqualTo(1);
  }

  private static JobReportProto running(ContainerId container) {
    return JobReportProto.newBuilder()
        .addRunning(
            RunningMapProto.newBuilder()
                .setTask(0)
                .setAttempt(0)
                .setContainer(container.getContainerId())
                .setRead(0)
                .setMillisSinceAssigned(0))
        .build();
  }

  @Test
  void theSchedulerWaitsForNoReportThatTakesLong()
      throws ExecutionException, IOException, InterruptedException, TimeoutException {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (AgentClient client = client(master)) {
      client.report(REPORT).getEpoch();
      until(() -> !predictions().isEmpty());
      real.heartbeat(HOST, List.of());
      ContainerId container = real.allocate(master, List.of(), List.of()).get(0).getId();

      Future<?> reporting;
      synchronized (coordinator.prefetching()) {
        reporting = threads.submit(() -> report(client, running(container)));
        await().until(() -> isHeldUpIn(Prefetching.class, "launched"));
        threads
            .submit(
                () ->
                    real.scheduler()
                        .handle(
                            new AppAttemptRemovedSchedulerEvent(
                                master, RMAppAttemptState.FINISHED, false)))
            .get(1, TimeUnit.MINUTES);
      }
      reporting.get(1, TimeUnit.MINUTES);
      until(() -> coordinator.speculation().jobs().isEmpty());
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aPredictionThatMayKnowOfALaunchWaitsUntilThatWasTold() throws IOException {
    Jobs jobs = coordinator.speculation().jobs();
    ExecutorService threads = Executors.newCachedThreadPool();
    CountDownLatch told = new CountDownLatch(1);
    try (AgentClient client = client(master)) {
      client.report(REPORT);
      JobView view = jobs.view(master).orElseThrow();

      threads.execute(
          () -> jobs.put(master, view, () -> Uninterruptibles.awaitUninterruptibly(told)));
      until(() -> isHeldUpIn(Jobs.class, "awaitLaunches"));
      told.countDown();
      long before = coordinator.speculation().runs();
      until(() -> coordinator.speculation().runs() > before);
    } finally {
      told.countDown();
      threads.shutdownNow();
    }
  }

  /** Whether a thread waits for another there. */
  private static boolean isHeldUpIn(Class<?> type, String method) {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(
            thread -> EnumSet.of(State.BLOCKED, State.WAITING).contains(thread.getKey().getState()))
        .flatMap(thread -> Arrays.stream(thread.getValue()))
        .anyMatch(
            frame ->
                frame.getClassName().equals(type.getName())
                    && frame.getMethodName().equals(method));
  }

  private static long metric(String name) {
    return SourceMetrics.value(
        DefaultMetricsSystem.instance().getSource("OrchestraPrediction"), name);
  }

  @Test
  void nothingIsForetoldForAJobThatHasEndedNorIsItHeardAgain() throws IOException {
    try (AgentClient client = client(master)) {
      client.report(REPORT).getEpoch();
      until(() -> !predictions().isEmpty());

      real.scheduler()
          .handle(new AppAttemptRemovedSchedulerEvent(master, RMAppAttemptState.FINISHED, false));
      until(() -> predictions().isEmpty());
      assertThatThrownBy(() -> client.report(REPORT)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void whoeverHasTheTokenOfOneJobSpeaksForNoOther() throws IOException {
    ApplicationAttemptId other = real.submit(2, "root.q", SIZE);
    try (AgentClient client = client(other)) {
      client.report(REPORT).getEpoch();
    }

    Jobs jobs = coordinator.speculation().jobs();
    assertThat(jobs.view(master)).isEmpty();
    assertThat(jobs.view(other))
        .hasValueSatisfying(
            view ->
                assertThat(view.waitingMaps())
                    .extracting(ShadowTask::id)
                    .containsExactly("attempt_1_0002_m_000000_0"));
  }

  @Test
  void aJobThatDoesNotRunIsNotHeard() throws IOException {
    ApplicationAttemptId stranger =
        ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 99), 1);
    try (AgentClient client = client(stranger)) {
      assertThatThrownBy(() -> client.report(REPORT))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not running");
    }

    assertThat(coordinator.speculation().jobs().isEmpty()).isTrue();
  }

  /** The replica is on another host of the same machine. */
  @Test
  void whatAMapWillReadIsBroughtByTheDaemonOfItsHost() throws IOException {
    try (AgentClient agent = client(master);
        DaemonClient daemon = daemon()) {
      introduce(daemon, "source", "localhost");
      long epoch = daemon.poll(poll("target", HOST, 0)).getEpoch();
      report(agent, REPORT);
      until(
          () -> {
            live(daemon, epoch);
            return report(agent, REPORT).getWantedList().contains(0);
          });
      report(agent, REPORT.toBuilder().addInputs(INPUT).build());

      List<CommandProto> commands = new ArrayList<>();
      until(
          () -> {
            commands.addAll(live(daemon, epoch));
            return !commands.isEmpty();
          });
      StartProto start = commands.get(0).getStart();
      assertThat(start.getBlock().getId()).isEqualTo(3);
      assertThat(start.getToken()).isEqualTo(INPUT.getBlocks(0).getToken());
      assertThat(start.getSources(0).getDatanodeUuid()).isEqualTo("source");
      assertThat(start.getUser()).isEqualTo("user");
    }

    String json = new ObjectMapper().writeValueAsString(coordinator.report());
    assertThat(json)
        .contains("\"outcome\":\"STARTED\"", "\"rate\":", "\"guaranteed\":", "\"waiting\":{")
        .doesNotContain("secret");
  }

  /** Both daemons poll, or they would be given up after some seconds. */
  private static List<CommandProto> live(DaemonClient daemon, long epoch) {
    try {
      daemon.poll(poll("source", "localhost", epoch));
      return daemon.poll(poll("target", HOST, epoch)).getCommandsList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first try may come too soon. */
  private static JobReportResponseProto report(AgentClient agent, JobReportProto report) {
    return await()
        .ignoreExceptions()
        .until(() -> agent.report(report), response -> response.getEpoch() > 0);
  }

  @Test
  void nobodySpeaksForTheDataNodeOfAnotherHost() throws IOException {
    try (DaemonClient daemon = daemon()) {
      assertThatThrownBy(() -> introduce(daemon, "uuid", "192.0.2.1"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("does not speak for");
    }

    assertThat(coordinator.report().daemons()).isEmpty();
  }

  private static void introduce(DaemonClient daemon, String uuid, String host) throws IOException {
    daemon.poll(poll(uuid, host, 0));
  }

  private static PollProto poll(String uuid, String host, long epoch) {
    return PollProto.newBuilder()
        .setSelf(DaemonProto.newBuilder().setDatanodeUuid(uuid).setHost(host).setTransferPort(9866))
        .setEpoch(epoch)
        .setDone(0)
        .setHold(false)
        .build();
  }

  private DaemonClient daemon() throws IOException {
    return new DaemonClient(
        new Configuration(),
        new InetSocketAddress("127.0.0.1", coordinator.daemonPort()),
        Duration.ofMinutes(1));
  }

  private List<Prediction> predictions() {
    return coordinator.speculation().foresight().predictions();
  }

  private AgentClient client(ApplicationAttemptId attempt) throws IOException {
    UserGroupInformation user = UserGroupInformation.createRemoteUser("user");
    user.addToken(real.token(attempt));
    return new AgentClient(
        new Configuration(),
        user,
        new InetSocketAddress("127.0.0.1", coordinator.agentPort()),
        Duration.ofMinutes(1));
  }
}
