package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class AsksAheadTest {
  private static final Resource SIZE = Resource.newInstance(1024, 1);
  private static final String HOST = "127.0.0.1";

  private final RealScheduler real =
      new RealScheduler(
          FairScheduler.class,
          "<?xml version=\"1.0\"?><allocations><queue name=\"q\"/></allocations>",
          Map.of());
  private final MasterCalls calls = new MasterCalls();
  private ApplicationAttemptId master;

  /** An application whose master runs, and asks for three containers. */
  @BeforeEach
  void ask() {
    real.addNode(HOST, "/rack", Resource.newInstance(16_384, 16));
    master = real.submit(1, "root.q", SIZE);
    real.scheduler().update();
    real.heartbeat(HOST, List.of());
    assertThat(real.allocate(master, List.of(), List.of())).as("its own container").hasSize(1);
    real.allocate(master, List.of(request(ResourceRequest.ANY, 3)), List.of());
    real.scheduler().update();
  }

  @AfterEach
  void close() {
    real.close();
  }

  private static ResourceRequest request(String place, int containers) {
    return RealScheduler.request(ShadowTask.MAP, place, SIZE, containers);
  }

  private AsksAhead ahead() {
    return ahead(true);
  }

  private AsksAhead ahead(boolean isKnown) {
    return AsksAhead.of(real.scheduler(), calls::count, attempt -> isKnown, () -> false);
  }

  private FSAppAttempt app() {
    return real.scheduler().getSchedulerApp(master);
  }

  @Test
  void whatHasNotChangedIsThereOnce() {
    AsksAhead ahead = ahead();

    assertThat(ahead.take(app(), true).orElseThrow().told().waitingMaps()).isEqualTo(3);
    assertThat(ahead.take(app(), true)).isEmpty();
  }

  @Test
  void afterAnAllocationItIsNotThere() {
    AsksAhead ahead = ahead();
    real.heartbeat(HOST, List.of());

    assertThat(ahead.take(app(), true)).isEmpty();
  }

  @Test
  void afterAnAllocationItIsNotThereThoughAsMuchIsUsedAsBefore() {
    real.heartbeat(HOST, List.of());
    ContainerId ended = real.allocate(master, List.of(), List.of()).get(0).getId();
    Resource before = app().getResourceUsage();
    AsksAhead ahead = ahead();
    real.heartbeat(HOST, List.of(ended));

    assertThat(app().getResourceUsage()).isEqualTo(before);
    assertThat(ahead.take(app(), true)).isEmpty();
  }

  /** They come back after the usage has changed, when nobody holds the scheduler's lock. */
  @Test
  void afterAsksOfALostContainerHaveComeBackItIsNotThere() {
    real.heartbeat(HOST, List.of());
    RMContainer lost =
        real.containers(HOST).stream().filter(ToldAsks::isUntold).findFirst().orElseThrow();
    AsksAhead ahead = ahead();
    app().recoverResourceRequestsForContainer(lost.getContainerRequest());

    assertThat(ahead.take(app(), true)).isEmpty();
  }

  @Test
  void whatAMasterWasToldIsCopiedOfKnownJobsOnly() {
    AsksAhead ahead = ahead(false);

    assertThat(ahead.take(app(), false).orElseThrow().told().waitingMaps()).isZero();
    assertThat(ahead(false).take(app(), true)).isEmpty();
    assertThat(ahead(true).take(app(), false)).isPresent();
  }

  @Test
  void itEndsWhereThereIsTooMuchToCopy() {
    assertThatThrownBy(
            () -> AsksAhead.of(real.scheduler(), calls::count, attempt -> true, () -> true))
        .isInstanceOf(TooLargeException.class);
  }

  /** Hadoop takes any number of names, and to copy them takes the scheduler's time. */
  @Test
  void anApplicationThatShunsMorePlacesThanThereAreIsNotLookedAtAgain() {
    List<String> shunned =
        IntStream.range(0, 2 * AppCopy.LEAST_ASKS).mapToObj(host -> "host-" + host).toList();
    Allocation unused =
        real.scheduler()
            .allocate(
                master, List.of(), null, List.of(), shunned, List.of(), new ContainerUpdates());
    AsksAhead ahead = ahead();
    calls.beginsOrEnds(master);

    assertThatThrownBy(() -> ahead.take(app(), true)).isInstanceOf(TooManyAsksException.class);
  }

  @Test
  void whileOrAfterItsMasterCallsItIsNotThere() {
    AsksAhead ahead = ahead();
    calls.beginsOrEnds(master);

    assertThat(ahead.take(app(), true)).isEmpty();
  }

  @Test
  void anApplicationThatCameLaterIsNotThere() {
    AsksAhead ahead = ahead();
    ApplicationAttemptId later = real.submit(2, "root.q", SIZE);

    assertThat(ahead.take(real.scheduler().getSchedulerApp(later), true)).isEmpty();
    assertThat(ahead.take(app(), true)).isPresent();
  }

  @Test
  void anApplicationThatAsksForTooMuchIsNotLookedAtAgain() {
    List<ResourceRequest> everywhere = new ArrayList<>();
    for (int place = 0; place < AppCopy.LEAST_ASKS + 10; place++) {
      everywhere.add(request("host" + place, 1));
    }
    real.allocate(master, everywhere, List.of());
    AsksAhead ahead = ahead();

    assertThatThrownBy(() -> ahead.take(app(), true)).isInstanceOf(TooManyAsksException.class);
  }

  @Test
  void callsOfWhoHasEndedAreForgotten() {
    ApplicationAttemptId later = real.submit(2, "root.q", SIZE);
    calls.beginsOrEnds(master);
    calls.beginsOrEnds(later);
    calls.retain(master::equals);

    assertThat(calls.count(master)).isEqualTo(1);
    assertThat(calls.count(later)).isZero();
    calls.forget(master);
    assertThat(calls.count(master)).isZero();
  }
}
