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
 * How long schedulers take for heartbeats of the nodes of a cluster that is full, and of one where
 * a container is assigned at each: the Fair Scheduler, and ours, while its shadow runs as ever.
 * They take turns in one process, so that a trial has figures of both.
 */
final class NodeUpdateRun {
  static final String EXPERIMENT = "node-update";

  /** The one arm. */
  private static final String TURNS = "in turns";

  private static final String PROGRAM = "NodeUpdateTimes";
  private static final String STOCK = "Fair Scheduler";
  private static final String OURS = "FlexFetch";
  private static final int SCHEDULERS = 2;

  /** What comes of a heartbeat. */
  private enum Kind {
    FULL("node update", "node updates"),
    ASSIGNING("node update with an assignment", "node updates with an assignment");

    private final String title;
    private final String plural;

    Kind(String title, String plural) {
      this.title = title;
      this.plural = plural;
    }

    private String micros(String scheduler) {
      return "%s, %s [µs]".formatted(title, scheduler);
    }

    private String longest(String scheduler) {
      return "longest %s, %s [ms]".formatted(title, scheduler);
    }

    private Formula speed() {
      return new Formula.PairedRatio(
          EXPERIMENT, new ArmFigure(TURNS, micros(STOCK)), new ArmFigure(TURNS, micros(OURS)));
    }
  }

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
        .plus(assigningWarmUp(options))
        .plus(assigningMeasured(options))
        .multipliedBy((long) SCHEDULERS * options.repetitions());
  }

  private static Duration warmUp(BenchOptions options) {
    return Duration.ofSeconds(options.quick() ? 5 : 20);
  }

  private static Duration measured(BenchOptions options) {
    return Duration.ofSeconds(options.quick() ? 5 : 60);
  }

  /** Less, as the other heartbeats come before in the same process. */
  private static Duration assigningWarmUp(BenchOptions options) {
    return Duration.ofSeconds(options.quick() ? 5 : 10);
  }

  private static Duration assigningMeasured(BenchOptions options) {
    return Duration.ofSeconds(options.quick() ? 5 : 30);
  }

  /** How much faster ours is than the Fair Scheduler where nothing is to be had. */
  static Formula speed() {
    return Kind.FULL.speed();
  }

  /** The same where a container is assigned at each heartbeat. */
  static Formula assigningSpeed() {
    return Kind.ASSIGNING.speed();
  }

  static String micros(String scheduler) {
    return Kind.FULL.micros(scheduler);
  }

  Experiment experiment() {
    List<String> arguments =
        List.of(
            Long.toString(warmUp(options).toSeconds()),
            Long.toString(measured(options).toSeconds()),
            Long.toString(assigningWarmUp(options).toSeconds()),
            Long.toString(assigningMeasured(options).toSeconds()));
    return Experiment.withoutBusyLink(
            EXPERIMENT,
            "Heartbeats of 1000 nodes with four slots, all taken, of one queue of 500 jobs: one after"
                + " the other, while the shadow of our scheduler runs. Then the same, with a map"
                + " that ends before each heartbeat, and one that gets its place.",
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
    List<List<Long>> lines;
    try {
      lines = output.strip().lines().map(NodeUpdateRun::numbers).toList();
    } catch (NumberFormatException e) {
      throw new TestbedException("no times of node updates: " + output, e);
    }
    if (lines.size() != 2 || !lines.stream().allMatch(NodeUpdateRun::isWhole)) {
      throw new TestbedException("no times of node updates: " + output);
    }
    Measurement.Builder measurement = Measurement.builder();
    add(measurement, Kind.FULL, lines.get(0));
    add(measurement, Kind.ASSIGNING, lines.get(1));
    long predictions = lines.get(0).get(6);
    long assigningPredictions = lines.get(1).get(6);
    long failures = lines.get(1).get(7);
    return measurement
        .counter("predictions", predictions)
        .counter("predictions with assignments", assigningPredictions)
        .check(
            "the shadow ran",
            predictions > 0 && assigningPredictions > 0 && failures == 0,
            "%d and %d predictions, %d failures"
                .formatted(predictions, assigningPredictions, failures))
        .build();
  }

  private static List<Long> numbers(String line) {
    return Splitter.on(' ').splitToStream(line).map(Long::valueOf).toList();
  }

  /** Whether it tells of some updates of each scheduler. */
  private static boolean isWhole(List<Long> numbers) {
    return numbers.size() == 8 && numbers.get(0) > 0 && numbers.get(3) > 0;
  }

  private static void add(Measurement.Builder measurement, Kind kind, List<Long> numbers) {
    add(measurement, kind, STOCK, numbers.subList(0, 3));
    add(measurement, kind, OURS, numbers.subList(3, 6));
  }

  /**
   * @param numbers how many, nanoseconds of all, and of the longest
   */
  private static void add(
      Measurement.Builder measurement, Kind kind, String scheduler, List<Long> numbers) {
    measurement
        .figure(kind.micros(scheduler), numbers.get(1) / 1e3 / numbers.get(0))
        .figure(kind.longest(scheduler), numbers.get(2) / 1e6)
        .counter("%s, %s".formatted(kind.plural, scheduler), numbers.get(0));
  }
}
