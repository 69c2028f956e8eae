package io.orchestra.hadoop.testbed.bench.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.BenchOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class PrefetchBenchmarkTest {
  private final PrefetchBenchmark benchmark = new PrefetchBenchmark();

  @Test
  void descriptionTellsWhatIsRunAndHowLongItTakes() {
    assertThat(benchmark.describe(options(5, false)))
        .containsEntry("time", "about 124 minutes, and more if targets stay undecided")
        .hasEntrySatisfying("jobs", jobs -> assertThat(jobs).startsWith("10 with 31 maps"));
    assertThat(benchmark.describe(options(1, true))).containsEntry("time", "about 11 minutes");
  }

  private static BenchOptions options(int repetitions, boolean quick) {
    return new BenchOptions("3.5.0", repetitions, quick, 1, Path.of("/results"));
  }
}
