package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.bench.Benchmark;
import io.orchestra.hadoop.testbed.bench.broadcast.BroadcastBenchmark;
import io.orchestra.hadoop.testbed.bench.placement.PlacementBenchmark;
import java.util.List;

/** All benchmarks that the command offers. */
final class Benchmarks {
  static final List<Benchmark> ALL = List.of(new PlacementBenchmark(), new BroadcastBenchmark());

  private Benchmarks() {}
}
