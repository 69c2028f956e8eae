package io.orchestra.hadoop.testbed.bench.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.ArmFigure;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.Formula;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import io.orchestra.hadoop.testbed.bench.Selection;
import io.orchestra.hadoop.testbed.bench.Target;
import io.orchestra.hadoop.testbed.bench.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PrefetchBenchmarkTest {
  private final PrefetchBenchmark benchmark = new PrefetchBenchmark();

  @Test
  void descriptionTellsWhatIsRunAndHowLongItTakes() {
    assertThat(benchmark.describe(options(5, false)))
        .containsEntry("time", "about 573 minutes, and more if targets stay undecided")
        .hasEntrySatisfying("jobs", jobs -> assertThat(jobs).startsWith("10 with 31 maps"));
    assertThat(benchmark.describe(options(1, true))).containsEntry("time", "about 9 minutes");
  }

  @Test
  void programsNeedNoCluster() {
    assertThat(benchmark.describe(only(PredictionRun.EXPERIMENT)))
        .containsEntry("time", "about 1 minutes");
    assertThat(benchmark.describe(only(NodeUpdateRun.EXPERIMENT)))
        .containsEntry("time", "about 1 minutes");
  }

  @Test
  void theTimeOfPredictionsIsThatOfTheSlowestLayoutAlsoOfAQuickRun() {
    RatioKey key = key("predictMillis1000x4");

    assertThat(key.filledBy(options(1, true))).isTrue();
    assertThat(key.filledBy(only("macro"))).isFalse();
    assertThat(key.arms(PredictionRun.EXPERIMENT))
        .containsExactlyInAnyOrder(
            "10 queues of 10 jobs", "one queue of 100 jobs", "one queue of 500 jobs");
  }

  @Test
  void killsAreOfTheSameDaemonWithStockAndWithFlexFetch() {
    RatioKey key = key("worstKillSlowdown");

    assertThat(key.experiments()).containsExactly("kills");
    assertThat(key.target()).contains(new Target(Target.Side.AT_LEAST, 0.97));
    assertThat(key.formulas().stream().map(Formula::operands).toList())
        .isEqualTo(
            List.of(
                List.of(jobs("stock, DataNode killed"), jobs("FlexFetch, DataNode killed")),
                List.of(
                    jobs("stock, ResourceManager killed"),
                    jobs("FlexFetch, ResourceManager killed"))));
  }

  @Test
  void aQuickRunKillsNothingUnlessItIsAskedTo() {
    assertThat(key("worstKillSlowdown").filledBy(options(1, true))).isFalse();
    assertThat(benchmark.describe(only("kills"))).containsEntry("time", "about 11 minutes");
  }

  @Test
  void delaySchedulingIsTunedOnlyIfItIsAskedFor() {
    assertThat(benchmark.describe(only("delay-scheduling")))
        .containsEntry("time", "about 20 minutes");
    assertThat(benchmark.ratios()).noneMatch(key -> key.experiments().contains("delay-scheduling"));
  }

  private RatioKey key(String name) {
    return benchmark.ratios().stream()
        .filter(ratio -> ratio.key().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static ArmFigure jobs(String arm) {
    return new ArmFigure(arm, ScheduleRun.ALL);
  }

  private static BenchOptions only(String experiment) {
    return new BenchOptions(
        "3.5.0",
        1,
        true,
        false,
        new Selection(Set.of(experiment), Set.of()),
        1,
        List.of(),
        Workload.RECORDED,
        Path.of("/results"));
  }

  private static BenchOptions options(int repetitions, boolean quick) {
    return new BenchOptions("3.5.0", repetitions, quick, 1, Path.of("/results"));
  }
}
