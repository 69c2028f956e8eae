package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.prefetch.FlexFetchScheduler;
import io.orchestra.hadoop.prefetch.MisledScheduler;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Locality;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Prediction;
import io.orchestra.hadoop.prefetch.resourcemanager.Speculation.Foresight;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FlexFetchSchedulerTest {
  private static final Duration HORIZON = Duration.ofSeconds(3);
  private static final String QUEUES =
      "<?xml version=\"1.0\"?><allocations><queue name=\"q\"/></allocations>";

  /** One of another test may end a moment later than that. */
  @BeforeEach
  void awaitEndOfSpeculation() {
    await().pollDelay(Duration.ZERO).until(() -> speculationThreads() == 0);
  }

  @Test
  void switchedOffItHasNoShadow() {
    try (RealScheduler real = scheduler(Map.of("orchestra.prefetch.enabled", "false"))) {
      real.scheduler().start();

      assertThat(flexFetch(real).coordinator()).isEmpty();
      assertThat(speculationThreads()).isZero();
    }
  }

  @Test
  void aWrongSettingSwitchesOffTheShadowAndNothingElse() {
    try (RealScheduler real = scheduler(Map.of("orchestra.prefetch.horizon", "soon"))) {
      real.scheduler().start();

      assertThat(flexFetch(real).coordinator()).isEmpty();
      assertThat(real.scheduler().getServiceState().toString()).isEqualTo("STARTED");
    }
  }

  @Test
  void aPortThatIsTakenSwitchesOffTheShadowAndNothingElse() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        RealScheduler real =
            scheduler(
                Map.of(
                    "orchestra.prefetch.agent.bind-host",
                    "127.0.0.1",
                    "orchestra.prefetch.agent.port",
                    String.valueOf(taken.getLocalPort())))) {
      real.scheduler().start();

      assertThat(flexFetch(real).coordinator()).isEmpty();
      assertThat(real.scheduler().getServiceState().toString()).isEqualTo("STARTED");
      await().until(() -> speculationThreads() == 0);
    }
  }

  @Test
  void continuousSchedulingIsNotForetold() {
    try (RealScheduler real =
        scheduler(Map.of("yarn.scheduler.fair.continuous-scheduling-enabled", "true"))) {
      real.scheduler().start();

      assertThat(flexFetch(real).coordinator()).isEmpty();
    }
  }

  @Test
  void whereACopyCouldBlockTheSchedulerNothingIsForetold() {
    try (RealScheduler real =
        scheduler(
            Map.of("yarn.resourcemanager.scheduler.autocorrect.container.allocation", "true"))) {
      real.scheduler().start();

      assertThat(flexFetch(real).coordinator()).isEmpty();
    }
  }

  @Test
  void itsThreadEndsWithItHoweverOftenItStarts() {
    for (int cycle = 0; cycle < 5; cycle++) {
      try (RealScheduler real = scheduler(Map.of())) {
        real.scheduler().start();
        assertThat(speculationThreads()).isEqualTo(1);
        real.scheduler().stop();
        assertThat(flexFetch(real).coordinator()).isEmpty();
        await().until(() -> speculationThreads() == 0);
      }
    }
  }

  @Test
  void itForetellsLaunchesOfJobsItIsToldOf() {
    try (RandomCluster cluster = new RandomCluster(FlexFetchScheduler.class, 36)) {
      FlexFetchScheduler scheduler = (FlexFetchScheduler) cluster.scheduler();
      cluster.runUntil(6_000);
      scheduler.start();
      Speculation speculation = scheduler.coordinator().orElseThrow().speculation();
      cluster.report(speculation.jobs());

      Foresight foresight = foreseen(speculation, cluster);
      assertThat(foresight.predictions())
          .allSatisfy(
              prediction ->
                  assertThat(prediction.nanos())
                      .isBetween(foresight.takenAt(), foresight.takenAt() + 15_200_000_000L));

      ApplicationId job = ApplicationId.fromString(foresight.predictions().get(0).app());
      scheduler.coordinator().orElseThrow().forget(ApplicationAttemptId.newInstance(job, 1));
      await()
          .untilAsserted(
              () ->
                  assertThat(speculation.foresight().predictions())
                      .extracting(Prediction::app)
                      .doesNotContain(job.toString()));
    }
  }

  @Test
  void ofAMisledOneEverybodyHearsWhatIsWrong() {
    try (RandomCluster cluster = new RandomCluster(MisledScheduler.class, 36)) {
      FlexFetchScheduler scheduler = (FlexFetchScheduler) cluster.scheduler();
      cluster.runUntil(6_000);
      scheduler.start();
      Speculation speculation = scheduler.coordinator().orElseThrow().speculation();
      cluster.report(speculation.jobs());

      assertThat(foreseen(speculation, cluster).predictions())
          .extracting(Prediction::locality)
          .containsOnly(Locality.OFF_SWITCH);
    }
  }

  /** A node that is silent for five seconds is taken for full, however long a test waits. */
  private static Foresight foreseen(Speculation speculation, RandomCluster cluster) {
    return await()
        .until(
            () -> {
              cluster.beat();
              return speculation.foresight();
            },
            seen -> !seen.predictions().isEmpty());
  }

  @Test
  void itsDecisionsAreTheFairSchedulersWhileItsShadowRuns() {
    for (long seed = 0; seed < 20; seed++) {
      List<Prediction> stock = launchesOfTheFairScheduler(seed);
      try (RandomCluster cluster = new RandomCluster(FlexFetchScheduler.class, seed)) {
        FlexFetchScheduler scheduler = (FlexFetchScheduler) cluster.scheduler();
        scheduler.start();
        Speculation speculation = scheduler.coordinator().orElseThrow().speculation();
        for (long until = 1_000; until <= 20_000; until += 1_000) {
          cluster.runUntil(until);
          cluster.report(speculation.jobs());
          foretell(speculation);
        }

        assertThat(cluster.launches()).as("%s", cluster).isEqualTo(stock);
        assertThat(speculation.runs()).isPositive();
        assertThat(speculation.failures()).isZero();
      }
    }
  }

  /** Until it has: a copy in which the thread stands still is given up, and others rest then. */
  private static void foretell(Speculation speculation) {
    long before = speculation.runs();
    await()
        .pollDelay(Duration.ZERO)
        .ignoreExceptionsInstanceOf(TooLargeException.class)
        .until(
            () -> {
              speculation.foretell();
              return speculation.jobs().isEmpty() || speculation.runs() > before;
            });
  }

  /** Some of them have changed, others have not. */
  @Test
  void itForetellsTheSameThoughAsksWereCopiedBefore() {
    Set<Boolean> used = new HashSet<>();
    for (long seed = 0; seed < 10; seed++) {
      try (RandomCluster cluster = new RandomCluster(FlexFetchScheduler.class, seed)) {
        FlexFetchScheduler scheduler = (FlexFetchScheduler) cluster.scheduler();
        scheduler.start();
        Speculation speculation = scheduler.coordinator().orElseThrow().speculation();
        for (long until = 1_000; until <= 8_000; until += 300) {
          cluster.report(speculation.jobs());
          AsksAhead asks = asksAhead(speculation);
          AsksAhead same = asksAhead(speculation);
          cluster.runUntil(until);
          List<Prediction> foretold = cluster.foretold(until + 10_000);

          assertThat(cluster.foretold(asks, until + 10_000))
              .as("at %d, %s", until, cluster)
              .isEqualTo(foretold);
          scheduler
              .getSchedulerApplications()
              .values()
              .forEach(app -> used.add(same.take(app.getCurrentAppAttempt(), true).isPresent()));
        }
      }
    }
    assertThat(used).containsExactlyInAnyOrder(true, false);
  }

  /** However long that takes a slow machine, which may have classes to load. */
  private static AsksAhead asksAhead(Speculation speculation) {
    return await()
        .pollDelay(Duration.ZERO)
        .ignoreExceptionsInstanceOf(TooLargeException.class)
        .until(speculation::asksAhead, Objects::nonNull);
  }

  private static List<Prediction> launchesOfTheFairScheduler(long seed) {
    try (RandomCluster cluster = new RandomCluster(seed)) {
      cluster.runUntil(20_000);
      List<Prediction> launches = cluster.launches();
      assertThat(launches).as("%s", cluster).isNotEmpty();
      return launches;
    }
  }

  @ParameterizedTest
  @CsvSource({"orchestra.prefetch.enabled, false", "orchestra.prefetch.horizon, soon"})
  void itsDecisionsAreTheFairSchedulersWhileItHasNoShadow(String setting, String value) {
    for (long seed = 0; seed < 20; seed++) {
      List<Prediction> stock = launchesOfTheFairScheduler(seed);
      try (RandomCluster cluster =
          new RandomCluster(FlexFetchScheduler.class, seed, Map.of(setting, value))) {
        FlexFetchScheduler scheduler = (FlexFetchScheduler) cluster.scheduler();
        scheduler.start();
        cluster.runUntil(20_000);

        assertThat(scheduler.coordinator()).isEmpty();
        assertThat(cluster.launches()).as("%s", cluster).isEqualTo(stock);
      }
    }
  }

  @Test
  void aPredictionThatFailsLeavesNoneOfBefore() throws Exception {
    assertThat(failuresAfter(new IllegalStateException("made up"))).isPositive();
  }

  /** It reached a limit, as a scheduler does that is too large to be copied. */
  @Test
  void aPredictionThatTookTooLongLeavesTheOneBeforeForItsHorizonAndIsNoFailure() throws Exception {
    long begin = System.nanoTime();
    assertThat(failuresAfter(new CancellationException("made up"))).isZero();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(HORIZON);
  }

  /** What is counted when predictions end like this, once what was foretold before is gone. */
  private static long failuresAfter(RuntimeException end) throws Exception {
    AtomicBoolean broken = new AtomicBoolean();
    try (RandomCluster cluster = new RandomCluster(36);
        Speculation speculation =
            speculation(
                cluster,
                () -> {
                  if (broken.get()) {
                    throw end;
                  }
                  return true;
                })) {
      assertThat(foreseen(speculation, cluster).predictions()).isNotEmpty();
      broken.set(true);

      await().until(() -> speculation.foresight().predictions().isEmpty());
      return speculation.failures();
    }
  }

  @Test
  void aPolicyThatIsNoneOfHadoopsIsNoFailureButNotForetold() {
    try (RealScheduler real =
        new RealScheduler(FlexFetchScheduler.class, OwnPolicy.queues(), Map.of())) {
      real.scheduler().start();
      Speculation speculation = flexFetch(real).coordinator().orElseThrow().speculation();
      speculation
          .jobs()
          .put(
              ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1),
              new JobView(List.of(), List.of(), Set.of(), Map.of()));

      await().until(() -> speculation.foresight().copyNanos() > 0);
      assertThat(speculation.foresight().predictions()).isEmpty();
      assertThat(speculation.runs()).isZero();
      assertThat(speculation.failures()).isZero();
    }
  }

  @Test
  void aSchedulerThatWaitsForItsNodesIsNotForetold() throws Exception {
    try (RandomCluster cluster = new RandomCluster(36);
        Speculation speculation = speculation(cluster, () -> false)) {
      speculation.foretell();

      assertThat(speculation.runs()).isZero();
      assertThat(speculation.foresight().predictions()).isEmpty();
    }
  }

  /** It is held up for nothing by each copy. What else is to be done is done all the same. */
  @Test
  void aSchedulerThatIsTooLargeIsCopiedEverMoreSeldom() throws Exception {
    AtomicInteger rounds = new AtomicInteger();
    try (RandomCluster cluster = new RandomCluster(36);
        Speculation speculation =
            speculation(
                cluster,
                () -> true,
                UnaryOperator.identity(),
                unused -> rounds.incrementAndGet(),
                Duration.ZERO)) {
      assertGivenUpEverMoreSeldom(speculation::copiesGivenUp, rounds);
      assertThat(speculation.runs()).isZero();
      assertThat(speculation.foresight().predictions()).isEmpty();
      assertThat(speculation.failures()).isZero();
    }
  }

  /** As where the horizon is too far for a cluster of that size: the next would take as long. */
  @Test
  void predictionsThatTakeTooLongAreMadeEverMoreSeldom() throws Exception {
    AtomicInteger rounds = new AtomicInteger();
    try (RandomCluster cluster = new RandomCluster(36);
        Speculation speculation =
            speculation(
                cluster,
                () -> true,
                foretold -> {
                  throw new CancellationException("made up");
                },
                unused -> rounds.incrementAndGet(),
                Duration.ofMinutes(1))) {
      assertGivenUpEverMoreSeldom(speculation::runsGivenUp, rounds);
      assertThat(speculation.copiesGivenUp()).isZero();
      assertThat(speculation.runs()).isZero();
      assertThat(speculation.failures()).isZero();
    }
  }

  private static void assertGivenUpEverMoreSeldom(LongSupplier times, AtomicInteger rounds) {
    await().until(() -> times.getAsLong() > 0);
    int before = rounds.get();
    await().until(() -> rounds.get() >= before + 20);
    assertThat(times.getAsLong()).isLessThan(10);
  }

  private static Speculation speculation(RandomCluster cluster, BooleanSupplier allocates)
      throws Exception {
    return speculation(
        cluster, allocates, UnaryOperator.identity(), unused -> {}, Duration.ofMillis(500));
  }

  private static Speculation speculation(
      RandomCluster cluster,
      BooleanSupplier allocates,
      UnaryOperator<List<Prediction>> believed,
      Consumer<Foresight> listener,
      Duration longestCopy)
      throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("orchestra.prefetch.interval", "100ms");
    conf.set("orchestra.prefetch.horizon", HORIZON.toMillis() + "ms");
    cluster.runUntil(6_000);
    Speculation speculation =
        Speculation.start(
            cluster.scheduler(),
            new ReentrantLock(),
            PrefetchConfig.from(conf),
            allocates,
            believed,
            listener,
            longestCopy);
    cluster.report(speculation.jobs());
    return speculation;
  }

  @Test
  void aFailureOfTheShadowStaysInIt() {
    try (RealScheduler real = scheduler(Map.of())) {
      real.scheduler().start();
      Speculation speculation = flexFetch(real).coordinator().orElseThrow().speculation();

      speculation.guarded(
          () -> {
            throw new StackOverflowError("made up");
          });

      assertThat(speculation.failures()).isEqualTo(1);
    }
  }

  @Test
  void whoHasCalledSinceHisAsksWereCopiedMayHaveChangedThem() {
    try (RealScheduler real = scheduler(Map.of())) {
      real.scheduler().start();
      Speculation speculation = flexFetch(real).coordinator().orElseThrow().speculation();
      ApplicationAttemptId master = real.submit(1, "root.q", Resource.newInstance(256, 1));
      FSAppAttempt app = real.scheduler().getSchedulerApp(master);
      AsksAhead before = speculation.asksAhead();
      real.allocate(master, List.of(), List.of());

      assertThat(before.take(app, false)).isEmpty();
      assertThat(speculation.asksAhead().take(app, false)).isPresent();
    }
  }

  private static RealScheduler scheduler(Map<String, String> settings) {
    return new RealScheduler(FlexFetchScheduler.class, QUEUES, settings);
  }

  private static FlexFetchScheduler flexFetch(RealScheduler real) {
    return (FlexFetchScheduler) real.scheduler();
  }

  private static long speculationThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("orchestra-speculation"))
        .count();
  }
}
