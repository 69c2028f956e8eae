package io.orchestra.hadoop.testbed.bench.run;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.BenchRun;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import io.orchestra.hadoop.testbed.bench.result.EarlierRun;
import io.orchestra.hadoop.testbed.bench.result.ExperimentResult;
import io.orchestra.hadoop.testbed.bench.result.RunSetup;
import io.orchestra.hadoop.testbed.bench.result.TrialResult;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.hadoop.Project;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Runs a benchmark's experiments one by one, and keeps what they measure. */
final class MeasuredRun implements BenchRun {
  private final RunEnvironment environment;
  private final RunSetup setup;
  private final EarlierRun earlier;
  private final Keeper keeper;
  private final List<ExperimentRun> experiments = new ArrayList<>();

  /** Is told of each repetition that has been measured. */
  @FunctionalInterface
  interface Keeper {
    /**
     * @param results of all experiments that were begun
     */
    void keep(String experiment, List<TrialResult> repetition, List<ExperimentResult> results);
  }

  MeasuredRun(RunEnvironment environment, RunSetup setup, EarlierRun earlier, Keeper keeper) {
    this.environment = environment;
    this.setup = setup;
    this.earlier = earlier;
    this.keeper = keeper;
  }

  /** Of all experiments that were begun. */
  List<ExperimentResult> results() {
    return experiments.stream().map(ExperimentRun::result).toList();
  }

  @Override
  public void experiment(Experiment all) {
    if (!options().runs(all.name())) {
      return;
    }
    Predicate<Arm> wanted = arm -> options().measures(arm.name());
    if (all.arms().stream().noneMatch(wanted)) {
      progress()
          .say(
              "%s: left out, as its arms are %s"
                  .formatted(all.name(), all.arms().stream().map(Arm::name).toList()));
      return;
    }
    Experiment experiment = all.withArms(wanted);
    if (experiments.stream()
        .anyMatch(run -> run.result().experiment().name().equals(experiment.name()))) {
      throw new TestbedException("there are two experiments of the name " + experiment.name());
    }
    List<RatioKey> keys =
        setup.benchmark().ratios().stream()
            .filter(key -> key.filledBy(options()))
            .flatMap(key -> key.in(experiment.name()).stream())
            .toList();
    ExperimentRun run = new ExperimentRun(experiment, keys, options(), environment, earlier);
    experiments.add(run);
    progress().say(experiment.name() + ": " + experiment.description());
    run.run(repetition -> keeper.keep(experiment.name(), repetition, results()));
  }

  @Override
  public BenchOptions options() {
    return setup.options();
  }

  @Override
  public TestbedHome home() {
    return environment.home();
  }

  @Override
  public Project project() {
    return environment.project();
  }

  @Override
  public Progress progress() {
    return environment.progress();
  }
}
