package io.orchestra.hadoop.testbed.bench.prefetch;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.ArmFigure;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.Formula;
import io.orchestra.hadoop.testbed.bench.Measurement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How long schedulers take for heartbeats of the nodes of a cluster that is full: the Fair
 * Scheduler, and ours, while its shadow runs as ever. They take turns in one process, so that a
 * trial has figures of both.
 */
final class NodeUpdateRun {
  static final String EXPERIMENT = "node-update";

  /** The one arm. */
  static final String TURNS = "in turns";

  private static final String PROGRAM = "NodeUpdateTimes";
  private static final String STOCK = "Fair Scheduler";
  private static final String OURS = "FlexFetch";
  private static final int SCHEDULERS = 2;

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
        .multipliedBy((long) SCHEDULERS * options.repetitions());
  }

  private static Duration warmUp(BenchOptions options) {
    return Duration.ofSeconds(options.quick() ? 5 : 20);
  }

  private static Duration measured(BenchOptions options) {
    return Duration.ofSeconds(options.quick() ? 5 : 60);
  }

  /** How much faster ours is than the Fair Scheduler. */
  static Formula speed() {
    return new Formula.PairedRatio(
        EXPERIMENT, new ArmFigure(TURNS, micros(STOCK)), new ArmFigure(TURNS, micros(OURS)));
  }

  static String micros(String scheduler) {
    return "node update, %s [µs]".formatted(scheduler);
  }

  private static String longest(String scheduler) {
    return "longest node update, %s [ms]".formatted(scheduler);
  }

  Experiment experiment() {
    List<String> arguments =
        List.of(
            Long.toString(warmUp(options).toSeconds()),
            Long.toString(measured(options).toSeconds()));
    return Experiment.withoutBusyLink(
            EXPERIMENT,
            "Heartbeats of 1000 nodes with four slots, all taken, of one queue of 500 jobs: one after"
                + " the other, while the shadow of our scheduler runs.",
            "nothing passes any link",
            Optional.empty(),
            List.of(
                Arm.of(TURNS, trial -> measurement(programs.output(PROGRAM, arguments)))
                    .withoutIdleCpu("what is measured is computing")))
        // Each trial has a process of its own, which warms up by itself.
        .withWarmUps(0);
  }

  /**
   * @param output of the program
   */
  static Measurement measurement(String output) {
    List<Long> numbers;
    try {
      numbers = Splitter.on(' ').splitToStream(output.strip()).map(Long::valueOf).toList();
    } catch (NumberFormatException e) {
      throw new TestbedException("no times of node updates: " + output, e);
    }
    if (numbers.size() != 8 || numbers.get(0) == 0 || numbers.get(3) == 0) {
      throw new TestbedException("no times of node updates: " + output);
    }
    Measurement.Builder measurement = Measurement.builder();
    add(measurement, STOCK, numbers.subList(0, 3));
    add(measurement, OURS, numbers.subList(3, 6));
    long predictions = numbers.get(6);
    long failures = numbers.get(7);
    return measurement
        .counter("predictions", predictions)
        .check(
            "the shadow ran",
            predictions > 0 && failures == 0,
            "%d predictions, %d failures".formatted(predictions, failures))
        .build();
  }

  /**
   * @param numbers how many, nanoseconds of all, and of the longest
   */
  private static void add(Measurement.Builder measurement, String scheduler, List<Long> numbers) {
    measurement
        .figure(micros(scheduler), numbers.get(1) / 1e3 / numbers.get(0))
        .figure(longest(scheduler), numbers.get(2) / 1e6)
        .counter("node updates, " + scheduler, numbers.get(0));
  }
}
