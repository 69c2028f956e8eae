package io.orchestra.hadoop.prefetch.algorithm.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.orchestra.hadoop.prefetch.algorithm.shadow.SpeculativeRun.Pace;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

final class SpeculativeRunTest {
  private static final long SECOND = 1_000_000_000;

  private final SmallCluster cluster = new SmallCluster();

  @Test
  void aTaskIsLaunchedWhereAndWhenARunningOneEnds() {
    cluster
        .node("a", "/r1", 1)
        .node("b", "/r2", 1)
        .app("job", 1, Map.of("*", 1, "b", 1, "/r2", 1))
        .app("other", 1, Map.of("*", 2));
    // Both nodes are full of the other application, whose container on a ends after 3.2 seconds.
    cluster.scheduler();
    occupy("a", 3 * SECOND + SECOND / 5);
    occupy("b", ShadowContainer.NEVER);
    ShadowTask map = new ShadowTask("map", ShadowTask.MAP, List.of("b"), List.of("/r2"), SECOND);

    List<Prediction> predictions = run(map, Map.of("*", 1, "b", 1, "/r2", 1)).until(10 * SECOND);

    // Node a reports at 4.0 s, the master hears of it at 4.5 s, and the launch takes 0.1 s.
    assertThat(predictions)
        .containsExactly(new Prediction("a", 4_600_000_000L, "job", "map", Locality.OFF_SWITCH));
  }

  @Test
  void nothingIsForetoldBeyondTheHorizon() {
    cluster.node("a", "/r1", 1).app("job", 1, Map.of("*", 1));
    ShadowTask map = new ShadowTask("map", ShadowTask.MAP, List.of(), List.of(), SECOND);

    assertThat(run(map, Map.of("*", 1)).until(SECOND / 2)).isEmpty();
  }

  @Test
  void aRunThatTakesTooLongOrIsInterruptedIsGivenUp() {
    cluster.node("a", "/r1", 1).app("job", 1, Map.of("*", 1));
    ShadowTask map = new ShadowTask("map", ShadowTask.MAP, List.of(), List.of(), SECOND);
    SpeculativeRun run = run(map, Map.of("*", 1));
    assertThatThrownBy(() -> run.until(SECOND, () -> true))
        .isInstanceOf(CancellationException.class);

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> run.until(SECOND)).isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void tasksOfTheShadowEndToo() {
    cluster.node("a", "/r1", 1).app("job", 1, Map.of("*", 3));
    List<ShadowTask> maps =
        List.of("1", "2", "3").stream()
            .map(id -> new ShadowTask(id, ShadowTask.MAP, List.of(), List.of(), 2 * SECOND))
            .toList();
    SpeculativeRun run =
        new SpeculativeRun(cluster.scheduler(), 0)
            .updates(new Pace(0, SECOND))
            .master(
                new ShadowMaster(
                    cluster.app("job"),
                    maps,
                    List.of(),
                    List.of(),
                    SmallCluster.told(Map.of("*", 3))),
                new Pace(SECOND / 2, SECOND))
            .node(cluster.node("a"), new Pace(0, SECOND));

    assertThat(run.until(10 * SECOND))
        .extracting(Prediction::task, Prediction::nanos)
        .containsExactly(
            tuple("1", SECOND / 2),
            tuple("2", SECOND / 2 + 3 * SECOND),
            tuple("3", SECOND / 2 + 6 * SECOND));
  }

  @Test
  void aTaskTakesWhatItTakesWhereItIs() {
    Map<String, Integer> asks = Map.of("*", 3, "a", 1, "/r1", 1);
    cluster.node("a", "/r1", 1).app("job", 1, asks);
    List<ShadowTask> maps =
        List.of(
            new ShadowTask(
                "local", ShadowTask.MAP, List.of("a"), List.of("/r1"), 2 * SECOND, 4 * SECOND),
            new ShadowTask("away", ShadowTask.MAP, List.of("b"), List.of(), 2 * SECOND, 4 * SECOND),
            new ShadowTask("last", ShadowTask.MAP, List.of(), List.of(), SECOND));
    SpeculativeRun run =
        new SpeculativeRun(cluster.scheduler(), 0)
            .updates(new Pace(0, SECOND))
            .master(
                new ShadowMaster(
                    cluster.app("job"), maps, List.of(), List.of(), SmallCluster.told(asks)),
                new Pace(SECOND / 2, SECOND))
            .node(cluster.node("a"), new Pace(0, SECOND));

    assertThat(run.until(10 * SECOND))
        .extracting(Prediction::task, Prediction::nanos)
        .containsExactly(
            tuple("local", SECOND / 2),
            tuple("away", SECOND / 2 + 3 * SECOND),
            tuple("last", SECOND / 2 + 8 * SECOND));
  }

  private SpeculativeRun run(ShadowTask map, Map<String, Integer> told) {
    SpeculativeRun run =
        new SpeculativeRun(cluster.scheduler(), SECOND / 10).updates(new Pace(0, SECOND));
    run.master(
        new ShadowMaster(
            cluster.app("job"), List.of(map), List.of(), List.of(), SmallCluster.told(told)),
        new Pace(SECOND / 2, SECOND));
    for (ShadowNode node : cluster.scheduler().cluster().nodes()) {
      run.node(node, new Pace(0, SECOND));
    }
    return run;
  }

  private void occupy(String node, long end) {
    ShadowCluster shadow = cluster.scheduler().cluster();
    Ask ask = cluster.app("other").asks().get(0);
    shadow.allocate(cluster.app("other"), ask, cluster.node(node), Locality.OFF_SWITCH);
    cluster.node(node).containers().get(0).endAt(end);
  }
}
