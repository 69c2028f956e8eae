package io.orchestra.hadoop.testbed.bench;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.hadoop.Project;

/** One run of a benchmark, as the benchmark sees it. */
public interface BenchRun {
  BenchOptions options();

  TestbedHome home();

  Project project();

  Progress progress();

  /**
   * Runs all trials of an experiment, more than planned if a target stays undecided, and keeps what
   * they measured; does nothing if the options leave it out. Fails if a trial fails, naming it.
   */
  void experiment(Experiment experiment);
}
