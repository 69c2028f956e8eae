package io.orchestra.hadoop.testbed.bench.run;

import com.google.common.collect.Sets;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.ArmFigure;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import io.orchestra.hadoop.testbed.bench.SampledFigure;
import io.orchestra.hadoop.testbed.bench.result.TrialResult;
import java.util.List;
import java.util.Set;

/**
 * What an experiment must measure for its keys; what is missing is found in the first trial, not
 * after the last.
 *
 * @param keys those that are computed from the experiment, with its formulas only
 */
record RequiredFigures(Experiment experiment, List<RatioKey> keys) {

  RequiredFigures {
    List<String> arms = experiment.arms().stream().map(Arm::name).toList();
    for (RatioKey key : keys) {
      for (ArmFigure operand : operands(key)) {
        if (!arms.contains(operand.arm())) {
          throw new TestbedException(
              "key %s needs the %s, but the arms of %s are %s"
                  .formatted(key.key(), operand, experiment.name(), arms));
        }
      }
    }
  }

  private static List<ArmFigure> operands(RatioKey key) {
    return key.formulas().stream().flatMap(formula -> formula.operands().stream()).toList();
  }

  /** Fails if the trial lacks a figure that a key needs, or measured one under a reserved name. */
  void check(TrialResult trial) {
    Set<String> sampled = SampledFigure.names(experiment.links());
    Set<String> measured = trial.measurement().figures().keySet();
    Set<String> reserved = Sets.intersection(sampled, measured);
    if (!reserved.isEmpty()) {
      throw new TestbedException(
          "these figures come from sampling, call yours otherwise: " + reserved);
    }
    for (RatioKey key : keys) {
      for (ArmFigure operand : operands(key)) {
        if (operand.arm().equals(trial.arm())
            && !measured.contains(operand.figure())
            && !sampled.contains(operand.figure())) {
          throw new TestbedException(
              "key %s needs the %s, but it measured %s".formatted(key.key(), operand, measured));
        }
      }
    }
  }
}
