package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.bench.Benchmark;
import io.orchestra.hadoop.testbed.bench.broadcast.BroadcastBenchmark;
import io.orchestra.hadoop.testbed.bench.gridmix.GridmixBenchmark;
import io.orchestra.hadoop.testbed.bench.placement.PlacementBenchmark;
import io.orchestra.hadoop.testbed.bench.prefetch.PrefetchBenchmark;
import io.orchestra.hadoop.testbed.bench.shuffle.ShuffleBenchmark;
import java.util.List;

/** All benchmarks that the command offers. */
final class Benchmarks {
  static final List<Benchmark> ALL =
      List.of(
          new PlacementBenchmark(),
          new BroadcastBenchmark(),
          new ShuffleBenchmark(),
          new PrefetchBenchmark(),
          new GridmixBenchmark());

  private Benchmarks() {}
}
