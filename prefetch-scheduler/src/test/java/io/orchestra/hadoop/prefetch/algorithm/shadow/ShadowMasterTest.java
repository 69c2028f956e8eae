package io.orchestra.hadoop.prefetch.algorithm.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ShadowMasterTest {
  private static final ShadowTask FIRST =
      new ShadowTask("1", ShadowTask.MAP, List.of("a", "b"), List.of("/r1"), 1);
  private static final ShadowTask SECOND =
      new ShadowTask("2", ShadowTask.MAP, List.of("b"), List.of("/r1"), 1);

  private final Map<String, Integer> places = Map.of("*", 2, "a", 1, "b", 2, "/r1", 2);
  private final SmallCluster cluster =
      new SmallCluster().node("a", "/r1", 1).node("b", "/r1", 1).app("job", 1, places);

  @Test
  void theSchedulerHearsOfAMatchOneHeartbeatLater() {
    ShadowMaster master = master(List.of());
    cluster.heartbeat("a", 0);
    assertThat(heartbeat(master)).containsExactly("1");
    assertThat(asked("b")).as("as long as nobody told").isEqualTo(2);

    assertThat(heartbeat(master)).isEmpty();
    assertThat(asked("b")).isEqualTo(1);
    assertThat(asked("*")).isEqualTo(1);
  }

  @Test
  void aTotalThatIsToldBringsBackWhatWasAllocatedMeanwhileAndTheExtraIsReleased() {
    ShadowMaster master = master(List.of());
    cluster.heartbeat("a", 0);
    heartbeat(master);
    cluster.heartbeat("b", 1);
    assertThat(cluster.app("job").ask(new AskKey(ShadowTask.MAP, 0))).isNull();

    // It still wants one when it tells, and hears of the second container after that.
    assertThat(heartbeat(master)).containsExactly("2");
    assertThat(asked("*")).isEqualTo(1);

    cluster.node("a").containers().get(0).endAt(2);
    cluster.scheduler().update();
    assertThat(cluster.heartbeat("a", 2)).as("an extra one").hasSize(1);
    assertThat(heartbeat(master)).isEmpty();
    assertThat(cluster.node("a").containers()).hasSize(1);
    heartbeat(master);
    assertThat(cluster.node("a").containers()).isEmpty();
  }

  @Test
  void tasksServedJustBeforeTheSnapshotAreToldFirst() {
    ShadowMaster master =
        new ShadowMaster(
            cluster.app("job"),
            List.of(SECOND),
            List.of(FIRST),
            List.of(),
            SmallCluster.told(places));
    heartbeat(master);

    assertThat(asked("*")).isEqualTo(1);
    assertThat(asked("a")).isZero();
  }

  @Test
  void containersItHasNotReportedAreForTasksThatItSaidWait() {
    cluster.heartbeat("b", 0);
    ShadowContainer container = cluster.app("job").allocated().remove(0);
    ShadowMaster master =
        new ShadowMaster(
            cluster.app("job"),
            List.of(FIRST, SECOND),
            List.of(),
            List.of(container),
            SmallCluster.told(places));

    assertThat(master.early()).extracting(match -> match.task().id()).containsExactly("1");
    assertThat(heartbeat(master)).isEmpty();
    assertThat(asked("*")).as("told at its next heartbeat").isEqualTo(1);
    assertThat(asked("a")).isZero();
  }

  @Test
  void twoThousandMillionReducesAreNotMade() {
    Map<Integer, Multiset<String>> told = new HashMap<>(SmallCluster.told(places));
    Multiset<String> reduces = HashMultiset.create();
    reduces.add(Ask.ANYWHERE, 2_000_000_000);
    told.put(ShadowTask.REDUCE, reduces);
    ShadowMaster master =
        new ShadowMaster(cluster.app("job"), List.of(FIRST, SECOND), List.of(), List.of(), told);

    assertThat(heartbeat(master)).isEmpty();
    assertThat(asked("*")).isEqualTo(2);
  }

  private ShadowMaster master(List<ShadowTask> served) {
    return new ShadowMaster(
        cluster.app("job"), List.of(FIRST, SECOND), served, List.of(), SmallCluster.told(places));
  }

  private List<String> heartbeat(ShadowMaster master) {
    return master.heartbeat(cluster.scheduler().cluster()).stream()
        .map(match -> match.task().id())
        .toList();
  }

  private int asked(String place) {
    return cluster.app("job").ask(new AskKey(ShadowTask.MAP, 0)).containers(place);
  }
}
