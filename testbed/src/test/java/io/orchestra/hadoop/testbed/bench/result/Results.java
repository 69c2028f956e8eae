package io.orchestra.hadoop.testbed.bench.result;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.Links;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.SampledFigure;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.bench.sample.Usage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Results that were never measured. */
public final class Results {
  public static final String TIME = "time";

  static final BenchOptions OPTIONS = new BenchOptions("3.5.0", 2, false, 1, Path.of("/results"));
  static final Arm STOCK = Arm.of("stock", trial -> Measurement.builder().build());
  static final Arm PLUGIN = Arm.of("plugin", trial -> Measurement.builder().build());

  private Results() {}

  static ExperimentResult experiment(Arm stock, Arm plugin, TrialResult... trials) {
    Links links = Links.of(Map::of, Map.of("a", 1.0));
    return new ExperimentResult(
        Experiment.of("loaded", "", links, List.of(stock, plugin)), 2, List.of(trials));
  }

  /** An experiment with one arm, whose repetitions took so many seconds. */
  public static ExperimentResult of(String experiment, String arm, List<Double> seconds) {
    List<TrialResult> trials = new ArrayList<>();
    for (double time : seconds) {
      trials.add(trial(arm, trials.size() + 1, time, 1, 1));
    }
    Links links = Links.of(Map::of, Map.of("a", 1.0));
    return new ExperimentResult(
        Experiment.of(
            experiment, "", links, List.of(Arm.of(arm, trial -> Measurement.builder().build()))),
        seconds.size(),
        trials);
  }

  /** A trial that took so many seconds and passed a check. */
  static TrialResult trial(String arm, int repetition, double seconds, double idle, double busy) {
    return trial(
        arm,
        repetition,
        Measurement.builder().figure(TIME, seconds).check("bytes", true, "equal").build(),
        idle,
        busy);
  }

  static TrialResult trial(
      String arm, int repetition, Measurement measurement, double idle, double busy) {
    Usage usage =
        new Usage(Map.of(SampledFigure.CPU_IDLE, idle, SampledFigure.BUSIEST_LINK, busy), Map.of());
    return new TrialResult(arm, new Trial(repetition, 0, false), 1, 1, measurement, usage);
  }
}
