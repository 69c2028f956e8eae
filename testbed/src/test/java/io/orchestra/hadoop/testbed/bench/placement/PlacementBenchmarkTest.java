package io.orchestra.hadoop.testbed.bench.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.Selection;
import io.orchestra.hadoop.testbed.bench.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PlacementBenchmarkTest {
  private final PlacementBenchmark benchmark = new PlacementBenchmark();

  @Test
  void descriptionTellsHowLongItTakes() {
    assertThat(benchmark.describe(options(5, false)))
        .containsEntry("time", "about 80 minutes, and more if targets stay undecided");
    assertThat(benchmark.describe(options(1, true))).containsEntry("time", "about 4 minutes");
  }

  @Test
  void whatIsNotAskedForTakesNoTime() {
    BenchOptions options =
        new BenchOptions(
            "3.5.0",
            1,
            true,
            false,
            new Selection(Set.of("quiet"), Set.of()),
            1,
            List.of(),
            Workload.RECORDED,
            Path.of("/results"));
    assertThat(benchmark.experiments(options)).containsExactly("busy-60s", "quiet");
    assertThat(benchmark.describe(options)).containsEntry("time", "about 2 minutes");
  }

  private static BenchOptions options(int repetitions, boolean quick) {
    return new BenchOptions("3.5.0", repetitions, quick, 1, Path.of("/results"));
  }
}
