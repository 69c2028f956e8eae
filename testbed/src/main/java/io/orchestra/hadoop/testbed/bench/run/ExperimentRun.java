package io.orchestra.hadoop.testbed.bench.run;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.bench.result.EarlierRun;
import io.orchestra.hadoop.testbed.bench.result.ExperimentResult;
import io.orchestra.hadoop.testbed.bench.result.KeyResult;
import io.orchestra.hadoop.testbed.bench.result.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Runs the trials of one experiment: warm-ups, then one trial of each arm in each repetition. */
final class ExperimentRun {
  private final Experiment experiment;
  private final List<RatioKey> keys;
  private final BenchOptions options;
  private final Progress progress;
  private final TrialOrder order;
  private final TrialRunner runner;
  private final RequiredFigures required;
  private final EarlierRun earlier;
  private final List<TrialResult> trials = new ArrayList<>();
  private boolean warm;

  /**
   * @param keys those that are computed from this experiment, with its formulas only
   */
  ExperimentRun(
      Experiment experiment,
      List<RatioKey> keys,
      BenchOptions options,
      RunEnvironment environment,
      EarlierRun earlier) {
    this.experiment = experiment;
    this.keys = keys;
    this.options = options;
    this.progress = environment.progress();
    this.order = new TrialOrder(options.seed(), experiment);
    this.runner = new TrialRunner(environment.sampler(), experiment.links());
    this.earlier = earlier;
    this.required = new RequiredFigures(experiment, keys);
  }

  /** What has been measured until now, also after a failure. */
  ExperimentResult result() {
    return new ExperimentResult(experiment, options.repetitions(), trials);
  }

  /**
   * Runs all trials. If a target is undecided after the planned repetitions, repeats as often
   * again, once, the arms that those targets compare; unless that is not wanted, when only those
   * that an earlier run has measured are kept.
   *
   * @param afterRepetition gets the trials of each repetition that was measured now
   */
  void run(Consumer<List<TrialResult>> afterRepetition) {
    int planned = options.repetitions();
    repeat(1, planned, arm -> true, afterRepetition);
    List<RatioKey> undecided = undecided();
    if (undecided.isEmpty() || options.quick()) {
      return;
    }
    Set<String> compared =
        undecided.stream()
            .flatMap(key -> key.arms(experiment.name()).stream())
            .collect(Collectors.toSet());
    Predicate<Arm> again = arm -> compared.contains(arm.name());
    int more = options.asPlanned() ? knownAfter(planned, again) : planned;
    progress.say(
        "%s: undecided after %d repetitions: %s; %d more"
            .formatted(
                experiment.name(),
                planned,
                undecided.stream().map(RatioKey::key).collect(Collectors.joining(", ")),
                more));
    repeat(planned + 1, planned + more, again, afterRepetition);
  }

  /** How many repetitions the earlier run has measured beyond those that were planned. */
  private int knownAfter(int planned, Predicate<Arm> compared) {
    int known = 0;
    while (known < planned && known(planned + known + 1, compared).isPresent()) {
      known++;
    }
    return known;
  }

  private Optional<List<TrialResult>> known(int number, Predicate<Arm> compared) {
    return earlier.trials(experiment.name(), number, armsOf(number, compared));
  }

  private List<Arm> armsOf(int repetition, Predicate<Arm> compared) {
    return experiment.arms().stream().filter(in(repetition, compared)).toList();
  }

  private static Predicate<Arm> in(int repetition, Predicate<Arm> compared) {
    return compared.and(arm -> repetition <= arm.mostRepetitions());
  }

  private void repeat(
      int first, int last, Predicate<Arm> compared, Consumer<List<TrialResult>> afterRepetition) {
    for (int number = first; number <= last; number++) {
      if (armsOf(number, compared).isEmpty()) {
        return;
      }
      Optional<List<TrialResult>> known = known(number, compared);
      if (known.isPresent()) {
        trials.addAll(known.get());
        progress.say(
            "%s, repetition %d of %d: from the earlier run"
                .formatted(experiment.name(), number, last));
      } else {
        warmUp();
        int before = trials.size();
        measureAll(order.repetition(number), last, in(number, compared));
        afterRepetition.accept(List.copyOf(trials.subList(before, trials.size())));
      }
    }
  }

  /** Once, before the first trial that counts. */
  private void warmUp() {
    if (warm) {
      return;
    }
    warm = true;
    for (int number = 1; number <= experiment.warmUps(); number++) {
      measureAll(order.warmUp(number), experiment.warmUps(), arm -> true);
    }
  }

  private void measureAll(Trial trial, int last, Predicate<Arm> which) {
    List<Arm> arms = order.arms(trial, which);
    for (int position = 1; position <= arms.size(); position++) {
      Arm arm = arms.get(position - 1);
      TrialResult result = measure(arm, trial, position);
      if (!trial.warmUp()) {
        trials.add(result);
      }
      progress.say(
          "%s, %s, %s of %d: %s"
              .formatted(experiment.name(), arm.name(), title(trial), last, TrialLine.of(result)));
    }
  }

  private TrialResult measure(Arm arm, Trial trial, int position) {
    try {
      TrialResult result = runner.run(arm, trial, position);
      required.check(result);
      return result;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new TestbedException(
          "experiment %s, arm %s, %s (seed %d) failed: %s"
              .formatted(
                  experiment.name(),
                  arm.name(),
                  title(trial),
                  trial.seed(),
                  e instanceof TestbedException ? e.getMessage() : e),
          e);
    }
  }

  private static String title(Trial trial) {
    return (trial.warmUp() ? "warm-up " : "repetition ") + trial.repetition();
  }

  private List<RatioKey> undecided() {
    return keys.stream()
        .filter(key -> KeyResult.of(key, options, List.of(result())).undecided())
        .toList();
  }
}
