package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.prefetch.algorithm.shadow.Prediction;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowContainer;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowTask;
import io.orchestra.hadoop.prefetch.algorithm.shadow.SpeculativeRun.Pace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FairSnapshotTest {
  private static final long HORIZON = 15_000_000_000L;

  private static final List<ShadowTask> MAPS =
      IntStream.range(0, 2 * FairSnapshot.LEAST_BELIEVED)
          .mapToObj(
              map ->
                  new ShadowTask(
                      "map" + map, ShadowTask.MAP, List.of(), List.of(), ShadowContainer.NEVER))
          .toList();

  @Test
  void aJobHasNoMoreWaitingMapsThanItAsksContainersForButAFewItIsAboutToAskFor() {
    assertThat(FairSnapshot.believable(MAPS, asking(0)))
        .isEqualTo(MAPS.subList(0, FairSnapshot.LEAST_BELIEVED));
    assertThat(FairSnapshot.believable(MAPS, asking(700))).isEqualTo(MAPS.subList(0, 700));
    assertThat(FairSnapshot.believable(MAPS, asking(100_000))).isEqualTo(MAPS);
    assertThat(FairSnapshot.believable(MAPS.subList(0, 3), asking(0))).hasSize(3);
  }

  /** Whoever seems to have few maps left would have his blocks brought before others'. */
  @Test
  void whoAsksForFewContainersAndTellsOfManyMapsHasMany() {
    assertThat(FairSnapshot.residual(telling(MAPS), asking(1)))
        .isEqualTo(FairSnapshot.LEAST_BELIEVED);
    assertThat(FairSnapshot.residual(telling(List.of()), asking(700))).isEqualTo(700);
    assertThat(FairSnapshot.residual(telling(MAPS.subList(0, 3)), asking(3))).isEqualTo(3);
  }

  @Test
  void whoAsksForContainersForHisMapsAtOtherPrioritiesHasAsMany() {
    for (int priority : List.of(0, 1, ShadowTask.MAP - 1, ShadowTask.MAP + 1, ShadowTask.REDUCE)) {
      ToldAsks told = asking(4);
      told.add(RealScheduler.request(priority, ResourceRequest.ANY, SIZE, 996));

      assertThat(FairSnapshot.residual(telling(MAPS.subList(0, 4)), told))
          .as("at priority %d", priority)
          .isGreaterThanOrEqualTo(996);
    }
  }

  @Test
  void reducesMakeNoJobLessUrgentThatHasAsManyMaps() {
    ToldAsks told = asking(4);
    told.add(RealScheduler.request(ShadowTask.REDUCE, ResourceRequest.ANY, SIZE, 4));

    assertThat(FairSnapshot.residual(telling(MAPS.subList(0, 4)), told)).isEqualTo(4);
  }

  private static JobView telling(List<ShadowTask> waiting) {
    return new JobView(waiting, List.of(), Set.of(), Map.of());
  }

  private static ToldAsks asking(int maps) {
    ToldAsks told = new ToldAsks();
    told.add(RealScheduler.request(ShadowTask.MAP, ResourceRequest.ANY, SIZE, maps));
    return told;
  }

  private static final Resource SIZE = Resource.newInstance(1024, 1);
  private static final String HOST = "127.0.0.1";

  private final RealScheduler real =
      new RealScheduler(
          FairScheduler.class,
          "<?xml version=\"1.0\"?><allocations><queue name=\"q\"/></allocations>",
          Map.of());
  private final JobView view = telling(MAPS.subList(0, 3));

  @AfterEach
  void close() {
    real.close();
  }

  /** An application whose master runs, and asks for containers. */
  private ApplicationAttemptId application(int number, List<ResourceRequest> asks) {
    ApplicationAttemptId master = real.submit(number, "root.q", SIZE);
    real.scheduler().update();
    real.heartbeat(HOST, List.of());
    assertThat(real.allocate(master, List.of(), List.of())).as("its own container").hasSize(1);
    real.allocate(master, asks, List.of());
    real.scheduler().update();
    return master;
  }

  private static List<ResourceRequest> asks(int priority, int containers) {
    return List.of(RealScheduler.request(priority, ResourceRequest.ANY, SIZE, containers));
  }

  private List<String> foretold(FairSnapshot snapshot) {
    return snapshot.run(0, () -> false).until(HORIZON).stream()
        .map(Prediction::app)
        .distinct()
        .toList();
  }

  private FairSnapshot snapshot() {
    return real.snapshot(attempt -> Optional.of(view), new EverySecond());
  }

  @Test
  void numbersOutOfReasonLeaveTheOthersForetold() {
    real.addNode(HOST, "/rack", Resource.newInstance(16_384, 16));
    ApplicationAttemptId honest = application(1, asks(ShadowTask.MAP, 3));
    application(
        2,
        List.of(
            RealScheduler.request(ShadowTask.MAP, "/rack", SIZE, -1),
            RealScheduler.request(ShadowTask.MAP, ResourceRequest.ANY, SIZE, 1)));
    application(3, asks(ShadowTask.REDUCE, 2_000_000_000));
    ResourceRequest one = asks(ShadowTask.MAP, Integer.MAX_VALUE).get(0);
    ResourceRequest other = ResourceRequest.clone(one);
    other.setAllocationRequestId(1);
    application(4, List.of(one, other));

    assertThat(foretold(snapshot())).contains(honest.getApplicationId().toString());
    assertThat(snapshot().states()).hasSize(4);
  }

  @Test
  void aRunThatTakesTooLongBeforeItsFirstLaunchIsGivenUp() {
    real.addNode(HOST, "/rack", Resource.newInstance(16_384, 16));
    application(1, asks(ShadowTask.MAP, 3));
    FairSnapshot snapshot = snapshot();

    assertThatThrownBy(() -> snapshot.run(0, () -> true)).isInstanceOf(CancellationException.class);
  }

  @Test
  void whoeverHidesMapsBehindAnotherPriorityIsForetoldNone() {
    real.addNode(HOST, "/rack", Resource.newInstance(16_384, 16));
    application(1, asks(ShadowTask.MAP + 1, 3));

    assertThat(foretold(snapshot())).isEmpty();
  }

  @Test
  void containersThatItHasAtAnotherPriorityAreTasksThatItHasNotDone() {
    real.addNode(HOST, "/rack", Resource.newInstance(16_384, 16));
    ApplicationAttemptId master = application(1, asks(ShadowTask.MAP + 1, 7));
    String job = master.getApplicationId().toString();
    long waiting = snapshot().states().get(job).residual();
    for (int beat = 0; beat < 7; beat++) {
      real.heartbeat(HOST, List.of());
    }
    assertThat(real.allocate(master, List.of(), List.of())).hasSize(7);

    assertThat(waiting).isGreaterThanOrEqualTo(7);
    assertThat(snapshot().states().get(job).residual()).isGreaterThanOrEqualTo(waiting);
  }

  @Test
  void whatWasAllocatedSinceAsksWereCopiedIsNotAskedForAnyMore() {
    real.addNode(HOST, "/rack", Resource.newInstance(16_384, 16));
    ApplicationAttemptId master = application(1, asks(ShadowTask.MAP + 1, 7));
    AsksAhead asks = real.asksAhead();
    for (int beat = 0; beat < 7; beat++) {
      real.heartbeat(HOST, List.of());
    }
    FairSnapshot snapshot = real.snapshot(asks, attempt -> Optional.of(view), new EverySecond());

    assertThat(snapshot.states())
        .containsOnlyKeys(master.getApplicationId().toString())
        .isEqualTo(snapshot().states());
  }

  @Test
  void oneThatCannotBeCopiedIsLeftOutAlone() {
    real.addNode(HOST, "/rack", Resource.newInstance(16_384, 16));
    ApplicationAttemptId broken = application(1, asks(ShadowTask.MAP, 3));
    ApplicationAttemptId whole = application(2, asks(ShadowTask.MAP, 3));
    FairSnapshot snapshot =
        real.snapshot(
            attempt -> {
              if (attempt.equals(broken)) {
                throw new IllegalStateException("made up");
              }
              return Optional.of(view);
            },
            new EverySecond());

    assertThat(snapshot.states()).containsOnlyKeys(whole.getApplicationId().toString());
    assertThat(foretold(snapshot)).containsExactly(whole.getApplicationId().toString());
  }

  @Test
  void whoeverAsksAtMorePlacesThanThereAreIsLeftOut() {
    real.addNode(HOST, "/rack", Resource.newInstance(16_384, 16));
    List<ResourceRequest> everywhere = new ArrayList<>(asks(ShadowTask.MAP, 3));
    for (int place = 0; place < AppCopy.LEAST_ASKS + 10; place++) {
      everywhere.add(RealScheduler.request(ShadowTask.MAP, "host" + place, SIZE, 1));
    }
    application(1, everywhere);
    ApplicationAttemptId whole = application(2, asks(ShadowTask.MAP, 3));

    assertThat(snapshot().states()).containsOnlyKeys(whole.getApplicationId().toString());
  }

  /** The scheduler keeps places that nothing is left to be allocated at. */
  @Test
  void whoeverAskedAtMorePlacesThanThereAreIsLeftOutThoughHeHasGotAllContainers() {
    real.addNode(HOST, "/rack", Resource.newInstance(16_384, 16));
    List<ResourceRequest> everywhere = new ArrayList<>(asks(ShadowTask.MAP, 1));
    for (int place = 0; place < AppCopy.LEAST_ASKS + 10; place++) {
      everywhere.add(RealScheduler.request(ShadowTask.MAP, "host" + place, SIZE, 1));
    }
    ApplicationAttemptId master = application(1, everywhere);
    real.heartbeat(HOST, List.of());
    assertThat(real.allocate(master, List.of(), List.of())).hasSize(1);
    ApplicationAttemptId whole = application(2, asks(ShadowTask.MAP, 3));

    assertThat(snapshot().states()).containsOnlyKeys(whole.getApplicationId().toString());
  }

  /** Each of them is looked at for each node. */
  @Test
  void whoeverAsksAtTooManyPrioritiesIsLeftOut() {
    real.addNode(HOST, "/rack", Resource.newInstance(16_384, 16));
    List<ResourceRequest> many = new ArrayList<>();
    for (int priority = 1; priority <= AppCopy.MOST_KEYS + 1; priority++) {
      many.add(
          ResourceRequest.newInstance(
              Priority.newInstance(priority), ResourceRequest.ANY, SIZE, 1));
    }
    application(1, many);
    ApplicationAttemptId few = application(2, many.subList(0, AppCopy.MOST_KEYS));

    assertThat(snapshot().states()).containsOnlyKeys(few.getApplicationId().toString());
  }

  /** It may rely on the scheduler's lock. */
  @Test
  void aPolicyThatIsNoneOfHadoopsIsNotCalled() {
    try (RealScheduler other =
        new RealScheduler(FairScheduler.class, OwnPolicy.queues(), Map.of())) {
      long calls = OwnPolicy.calls();

      assertThatThrownBy(() -> other.snapshot(attempt -> Optional.empty(), new EverySecond()))
          .isInstanceOf(ForeignPolicyException.class)
          .hasMessage(OwnPolicy.class.getName());
      assertThat(OwnPolicy.calls()).isEqualTo(calls);
    }
  }

  @Test
  void theSchedulerIsNotHeldUpForEver() {
    real.addNode(HOST, "/rack", Resource.newInstance(16_384, 16));
    application(1, asks(ShadowTask.MAP, 3));

    assertThatThrownBy(
            () ->
                FairSnapshot.take(
                    real.scheduler(),
                    attempt -> Optional.of(view),
                    real.asksAhead(),
                    new EverySecond(),
                    () -> true))
        .isInstanceOf(CancellationException.class);
  }

  /** Masters hear of what was allocated after some seconds. */
  private static final class EverySecond implements Paces {
    private static final Pace PACE = new Pace(0, 1_000_000_000);

    @Override
    public Pace updates() {
      return PACE;
    }

    @Override
    public Optional<Pace> node(SchedulerNode node) {
      return Optional.of(PACE);
    }

    @Override
    public Pace master(ApplicationAttemptId attempt) {
      return new Pace(5 * PACE.period(), PACE.period());
    }
  }
}
