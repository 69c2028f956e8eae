package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.bench.Benchmark;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import java.util.List;

/** What {@code orchestra bench --list} prints. */
final class BenchmarkList {
  private BenchmarkList() {}

  /** Each benchmark with its question and its keys; a star marks those that quick runs fill. */
  static String text(List<Benchmark> benchmarks) {
    StringBuilder text = new StringBuilder();
    for (Benchmark benchmark : benchmarks) {
      text.append(benchmark.name()).append(": ").append(benchmark.question()).append('\n');
      for (RatioKey key : benchmark.ratios()) {
        text.append(key.quick() ? "  * " : "    ");
        text.append(key.key()).append(": ").append(key.meaning()).append('\n');
      }
    }
    return text.toString();
  }
}
