package io.orchestra.hadoop.testbed.bench.result;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Curve;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.Formula;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What came out of an experiment.
 *
 * @param planned how many repetitions were asked for
 * @param trials the measured ones, in the order in which they ran
 */
public record ExperimentResult(Experiment experiment, int planned, List<TrialResult> trials) {

  public ExperimentResult {
    trials = List.copyOf(trials);
  }

  /** How many repetitions were begun. */
  public int repetitions() {
    return trials.stream().mapToInt(trial -> trial.trial().repetition()).max().orElse(0);
  }

  public List<TrialResult> trials(Arm arm) {
    return trials.stream().filter(trial -> trial.arm().equals(arm.name())).toList();
  }

  /** The names of all figures, in the order in which they first appeared. */
  public Set<String> figures() {
    Set<String> names = new LinkedHashSet<>();
    trials.forEach(trial -> names.addAll(trial.figures().keySet()));
    return names;
  }

  /** The names of all lists of samples. */
  public Set<String> samples() {
    Set<String> names = new LinkedHashSet<>();
    trials.forEach(trial -> names.addAll(trial.measurement().samples().keySet()));
    return names;
  }

  /** The curves of an arm's first repetition, by the titles of their plots. */
  public Map<String, List<Curve>> curves(Arm arm) {
    return trials(arm).stream()
        .findFirst()
        .map(trial -> trial.measurement().curves())
        .orElse(Map.of());
  }

  /** A figure in all repetitions of an arm that have it. */
  public List<Double> values(Arm arm, String figure) {
    return trials(arm).stream()
        .map(trial -> trial.figures().get(figure))
        .filter(Objects::nonNull)
        .toList();
  }

  /** The samples of all repetitions of an arm together. */
  public List<Double> pooledSamples(Arm arm, String name) {
    return trials(arm).stream()
        .flatMap(trial -> trial.measurement().samples().getOrDefault(name, List.of()).stream())
        .toList();
  }

  /** A formula's value in each repetition that has all its figures. */
  public List<Double> values(Formula formula) {
    List<Double> values = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions(); repetition++) {
      Map<String, Map<String, Double>> arms = arms(repetition);
      if (formula.operands().stream()
          .allMatch(
              operand ->
                  arms.getOrDefault(operand.arm(), Map.of()).containsKey(operand.figure()))) {
        values.add(formula.value(operand -> arms.get(operand.arm()).get(operand.figure())));
      }
    }
    return values;
  }

  private Map<String, Map<String, Double>> arms(int repetition) {
    Map<String, Map<String, Double>> figures = new HashMap<>();
    trials.stream()
        .filter(trial -> trial.trial().repetition() == repetition)
        .forEach(trial -> figures.put(trial.arm(), trial.figures()));
    return figures;
  }
}
