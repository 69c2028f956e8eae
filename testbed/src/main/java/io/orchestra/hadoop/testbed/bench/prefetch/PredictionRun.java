package io.orchestra.hadoop.testbed.bench.prefetch;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.result.Summary;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How long the shadow takes to foretell ten seconds of a cluster of 1000 nodes with four slots. The
 * cluster is a Fair Scheduler alone.
 */
final class PredictionRun {
  static final String EXPERIMENT = "prediction";
  static final String MILLIS = "prediction [ms]";
  private static final String COPY = "of that with the scheduler's lock [ms]";
  private static final String PROGRAM = "PredictionTimes";

  /** Of delay scheduling: a tenth of the nodes may pass. */
  private static final double THRESHOLD = 0.1;

  /** As many as in the paper. */
  private static final int LEAST_LAUNCHES = 1000;

  /** The program starts, and jobs fill the cluster. */
  static final Duration FILLING = Duration.ofSeconds(5);

  /** Who shares the cluster: each time 8000 maps, of which half wait. */
  private enum Layout {
    TEN_QUEUES("10 queues of 10 jobs", 10, 10, 80),
    ONE_QUEUE("one queue of 100 jobs", 1, 100, 80),
    SMALL_JOBS("one queue of 500 jobs", 1, 500, 16);

    private final String title;
    private final int queues;
    private final int jobs;
    private final int maps;

    /**
     * @param jobs of each queue
     * @param maps of each job
     */
    Layout(String title, int queues, int jobs, int maps) {
      this.title = title;
      this.queues = queues;
      this.jobs = jobs;
      this.maps = maps;
    }
  }

  /** What the program says of one prediction. */
  private record Prediction(double copyMillis, double millis, long launches) {
    private static Prediction parse(String line) {
      try {
        List<Long> numbers = Splitter.on(' ').splitToStream(line).map(Long::valueOf).toList();
        return new Prediction(numbers.get(0) / 1e6, numbers.get(1) / 1e6, numbers.get(2));
      } catch (NumberFormatException | IndexOutOfBoundsException e) {
        throw new TestbedException("no times of a prediction: " + line, e);
      }
    }
  }

  private final BenchOptions options;
  private final SchedulerProgram programs;

  PredictionRun(BenchOptions options, SchedulerProgram programs) {
    this.options = options;
    this.programs = programs;
  }

  /** The arms' names. */
  static List<String> arms() {
    return Arrays.stream(Layout.values()).map(layout -> layout.title).toList();
  }

  static String description(BenchOptions options) {
    return "of 1000 nodes with four slots, in a program without a cluster: %s; %d s of warm-up, then %d s"
        .formatted(
            String.join(", ", arms()), warmUp(options).toSeconds(), measured(options).toSeconds());
  }

  static Duration time(BenchOptions options) {
    return FILLING
        .plus(warmUp(options))
        .plus(measured(options))
        .multipliedBy((long) Layout.values().length * options.repetitions());
  }

  private static Duration warmUp(BenchOptions options) {
    return Duration.ofSeconds(options.quick() ? 5 : 10);
  }

  private static Duration measured(BenchOptions options) {
    return Duration.ofSeconds(options.quick() ? 5 : 10);
  }

  Experiment experiment() {
    return Experiment.withoutBusyLink(
            EXPERIMENT,
            "Predictions of ten seconds of a cluster of 1000 nodes with four slots, one after the"
                + " other on one thread.",
            "nothing passes any link",
            Optional.empty(),
            Arrays.stream(Layout.values()).map(this::arm).toList())
        // Each trial has a process of its own, which warms up by itself.
        .withWarmUps(0);
  }

  private Arm arm(Layout layout) {
    return Arm.of(layout.title, trial -> measurement(programs.output(PROGRAM, arguments(layout))))
        .withoutIdleCpu("what is measured is computing");
  }

  private List<String> arguments(Layout layout) {
    return List.of(
        Integer.toString(layout.queues),
        Integer.toString(layout.jobs),
        Integer.toString(layout.maps),
        Double.toString(THRESHOLD),
        Long.toString(warmUp(options).toSeconds()),
        Long.toString(measured(options).toSeconds()));
  }

  /**
   * @param output of the program
   */
  static Measurement measurement(String output) {
    List<Prediction> predictions = output.lines().map(Prediction::parse).toList();
    if (predictions.isEmpty()) {
      throw new TestbedException("the program has told of no prediction");
    }
    List<Double> millis = predictions.stream().map(Prediction::millis).toList();
    List<Double> copies = predictions.stream().map(Prediction::copyMillis).toList();
    long launches = predictions.stream().mapToLong(Prediction::launches).min().orElseThrow();
    return Measurement.builder()
        .figure(MILLIS, Summary.of(millis).median())
        .figure(COPY, Summary.of(copies).median())
        .samples("predictions [ms]", millis.stream().sorted().toList())
        .counter("predictions", predictions.size())
        .counter("launches: foretold", launches)
        .check(
            "at least %d launches were foretold each time".formatted(LEAST_LAUNCHES),
            launches >= LEAST_LAUNCHES,
            "%d, in %d predictions".formatted(launches, predictions.size()))
        .build();
  }
}
