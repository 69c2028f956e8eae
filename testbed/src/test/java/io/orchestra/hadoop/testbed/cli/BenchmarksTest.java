package io.orchestra.hadoop.testbed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.Benchmark;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class BenchmarksTest {
  private static final Pattern TIME = Pattern.compile("about (\\d+) minutes");

  @Test
  void allOfThemQuicklyTakeNoMoreThanFortyMinutes() {
    BenchOptions quick = new BenchOptions("3.5.0", 1, true, 1, Path.of("/results"));
    int minutes = 0;
    for (Benchmark benchmark : Benchmarks.ALL) {
      Matcher time = TIME.matcher(benchmark.describe(quick).get("time"));
      assertThat(time.find()).as(benchmark.name()).isTrue();
      minutes += Integer.parseInt(time.group(1));
    }

    assertThat(minutes).isBetween(1, 40);
  }

  @Test
  void keysAreOfExperimentsThatCanBeAskedFor() {
    BenchOptions options = new BenchOptions("3.5.0", 5, false, 1, Path.of("/results"));
    for (Benchmark benchmark : Benchmarks.ALL) {
      List<String> experiments = benchmark.experiments(options);
      assertThat(experiments).as(benchmark.name()).doesNotHaveDuplicates();
      for (RatioKey key : benchmark.ratios()) {
        assertThat(experiments).as(key.key()).containsAll(key.experiments());
      }
    }
  }
}
