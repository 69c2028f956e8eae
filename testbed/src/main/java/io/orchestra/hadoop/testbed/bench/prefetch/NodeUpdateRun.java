package io.orchestra.hadoop.testbed.bench.prefetch;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.Measurement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How long schedulers take for heartbeats of the nodes of a cluster that is full: the Fair
 * Scheduler, and ours, while its shadow runs as ever.
 */
final class NodeUpdateRun {
  static final String EXPERIMENT = "node-update";
  static final String MICROS = "node update [µs]";
  private static final String PROGRAM = "NodeUpdateTimes";
  private static final String LONGEST = "longest node update [ms]";

  private final BenchOptions options;
  private final SchedulerProgram programs;

  NodeUpdateRun(BenchOptions options, SchedulerProgram programs) {
    this.options = options;
    this.programs = programs;
  }

  static Duration time(BenchOptions options) {
    return PredictionRun.FILLING
        .plus(warmUp(options))
        .plus(measured(options))
        .multipliedBy(2L * options.repetitions());
  }

  private static Duration warmUp(BenchOptions options) {
    return Duration.ofSeconds(options.quick() ? 5 : 15);
  }

  private static Duration measured(BenchOptions options) {
    return Duration.ofSeconds(options.quick() ? 5 : 30);
  }

  Experiment experiment() {
    return Experiment.withoutBusyLink(
            EXPERIMENT,
            "Heartbeats of 1000 nodes with four slots, all taken, of one queue of 500 jobs: one after"
                + " the other, while the shadow of our scheduler runs.",
            "nothing passes any link",
            Optional.empty(),
            Stream.of(Scheduling.STOCK, Scheduling.FLEXFETCH).map(this::arm).toList())
        // Each trial has a process of its own, which warms up by itself.
        .withWarmUps(0);
  }

  private Arm arm(Scheduling way) {
    boolean ours = way == Scheduling.FLEXFETCH;
    List<String> arguments =
        List.of(
            Boolean.toString(ours),
            Long.toString(warmUp(options).toSeconds()),
            Long.toString(measured(options).toSeconds()));
    return Arm.of(way.title(), trial -> measurement(ours, programs.output(PROGRAM, arguments)))
        .withoutIdleCpu("what is measured is computing");
  }

  /**
   * @param ours whether the scheduler is
   * @param output of the program
   */
  static Measurement measurement(boolean ours, String output) {
    List<Long> numbers;
    try {
      numbers = Splitter.on(' ').splitToStream(output.strip()).map(Long::valueOf).toList();
    } catch (NumberFormatException e) {
      throw new TestbedException("no times of node updates: " + output, e);
    }
    if (numbers.size() != 5 || numbers.get(0) == 0) {
      throw new TestbedException("no times of node updates: " + output);
    }
    long predictions = numbers.get(3);
    long failures = numbers.get(4);
    return Measurement.builder()
        .figure(MICROS, numbers.get(1) / 1e3 / numbers.get(0))
        .figure(LONGEST, numbers.get(2) / 1e6)
        .counter("node updates", numbers.get(0))
        .counter("predictions", predictions)
        .check(
            ours ? "the shadow ran" : "there was no shadow",
            ours ? predictions > 0 && failures == 0 : predictions == 0,
            "%d predictions, %d failures".formatted(predictions, failures))
        .build();
  }
}
