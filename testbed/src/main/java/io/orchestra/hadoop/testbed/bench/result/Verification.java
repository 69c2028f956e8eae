package io.orchestra.hadoop.testbed.bench.result;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Check;
import io.orchestra.hadoop.testbed.bench.Demands;
import io.orchestra.hadoop.testbed.bench.SampledFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds what speaks against trusting a run's figures. */
public final class Verification {
  private final List<String> reasons = new ArrayList<>();

  private Verification() {}

  /** All reasons; none if the run is verified. */
  static List<String> reasons(List<ExperimentResult> experiments, List<KeyResult> keys) {
    Verification verification = new Verification();
    if (experiments.isEmpty()) {
      verification.reasons.add("no experiment was run");
    }
    experiments.forEach(verification::examine);
    for (KeyResult key : keys) {
      key.problem()
          .ifPresent(
              problem -> verification.reasons.add("key " + key.key().key() + ": " + problem));
    }
    return List.copyOf(verification.reasons);
  }

  /** Arms whose processors were idle for less than {@link Demands#AMPLE_IDLE_CPU}. */
  public static List<String> busyProcessors(List<ExperimentResult> experiments) {
    List<String> busy = new ArrayList<>();
    for (ExperimentResult result : experiments) {
      for (Arm arm : result.experiment().arms()) {
        median(result.values(arm, SampledFigure.CPU_IDLE))
            .filter(idle -> idle < Demands.AMPLE_IDLE_CPU && arm.demands().whyNoIdleCpu().isEmpty())
            .ifPresent(
                idle ->
                    busy.add(
                        String.format(
                            Locale.ROOT,
                            "%s, %s: %.0f %%",
                            result.experiment().name(),
                            arm.name(),
                            100 * idle)));
      }
    }
    return busy;
  }

  private void examine(ExperimentResult result) {
    for (Arm arm : result.experiment().arms()) {
      String where = result.experiment().name() + ", " + arm.name();
      List<TrialResult> trials = result.trials(arm);
      if (trials.isEmpty()) {
        reasons.add(where + ": not measured");
        continue;
      }
      Demands demands = arm.demands();
      trials.forEach(trial -> examine(where, trial, demands));
      if (demands.whyNoBusyLink().isEmpty()) {
        demand(
            where,
            median(result.values(arm, SampledFigure.BUSIEST_LINK)),
            Demands.BUSY_LINK,
            "median utilisation of the busiest link");
      }
    }
  }

  private void examine(String where, TrialResult trial, Demands demands) {
    String when = where + ", repetition " + trial.trial().repetition();
    List<Check> checks = trial.measurement().checks();
    if (checks.isEmpty()) {
      reasons.add(when + ": nothing was checked");
    }
    for (Check check : checks) {
      if (!check.passed()) {
        reasons.add("%s: %s: %s".formatted(when, check.name(), check.detail()));
      }
    }
    if (demands.whyNoIdleCpu().isEmpty()) {
      demand(
          when,
          Optional.ofNullable(trial.figures().get(SampledFigure.CPU_IDLE)),
          Demands.IDLE_CPU,
          "idle time of the processors");
    }
  }

  private static Optional<Double> median(List<Double> values) {
    return values.isEmpty() ? Optional.empty() : Optional.of(Summary.of(values).median());
  }

  private void demand(String where, Optional<Double> value, double limit, String what) {
    if (value.isEmpty()) {
      reasons.add("%s: %s is not known".formatted(where, what));
    } else if (value.get() < limit) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "%s: %s is %.1f %%, below %.0f %%",
              where,
              what,
              100 * value.get(),
              100 * limit));
    }
  }
}
