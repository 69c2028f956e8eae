package io.orchestra.hadoop.testbed.bench.result;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Check;
import io.orchestra.hadoop.testbed.bench.Demands;
import io.orchestra.hadoop.testbed.bench.SampledFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds what speaks against trusting a run's figures. */
final class Verification {
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

  private void examine(ExperimentResult result) {
    for (Arm arm : result.experiment().arms()) {
      String where = result.experiment().name() + ", " + arm.name();
      List<TrialResult> trials = result.trials(arm);
      if (trials.isEmpty()) {
        reasons.add(where + ": not measured");
        continue;
      }
      trials.forEach(trial -> examine(where, trial));
      Demands demands = arm.demands();
      if (demands.whyNoBusyLink().isEmpty()) {
        demand(
            where,
            result.values(arm, SampledFigure.BUSIEST_LINK),
            Demands.BUSY_LINK,
            "median utilisation of the busiest link");
      }
      if (demands.whyNoIdleCpu().isEmpty()) {
        demand(
            where,
            result.values(arm, SampledFigure.CPU_IDLE),
            Demands.IDLE_CPU,
            "median idle time of the processors");
      }
    }
  }

  private void examine(String where, TrialResult trial) {
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
  }

  private void demand(String where, List<Double> values, double limit, String what) {
    if (values.isEmpty()) {
      reasons.add("%s: %s is not known".formatted(where, what));
      return;
    }
    double median = Summary.of(values).median();
    if (median < limit) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "%s: %s is %.1f %%, below %.0f %%",
              where,
              what,
              100 * median,
              100 * limit));
    }
  }
}
