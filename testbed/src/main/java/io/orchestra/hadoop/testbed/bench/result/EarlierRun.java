package io.orchestra.hadoop.testbed.bench.result;

import io.orchestra.hadoop.testbed.bench.Arm;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a run that ended early has measured, for one that goes on where it ended.
 *
 * @param conditions of the earlier run, by name; see {@link RunSetup#conditions}
 * @param starts when it began, and when it was gone on with before, if it was
 * @param ends why it ended early, each time; nothing of a run that was killed
 * @param repetitions those that were completed
 */
public record EarlierRun(
    Map<String, String> conditions,
    List<Instant> starts,
    List<String> ends,
    List<Repetition> repetitions) {
  public static final EarlierRun NONE = new EarlierRun(Map.of(), List.of(), List.of(), List.of());

  public EarlierRun {
    conditions = Map.copyOf(conditions);
    starts = List.copyOf(starts);
    ends = List.copyOf(ends);
    repetitions = List.copyOf(repetitions);
  }

  /**
   * One repetition of an experiment.
   *
   * @param commit of the project that measured it
   * @param trials one of each arm that took part, in the order in which they ran
   */
  public record Repetition(String experiment, int number, String commit, List<TrialResult> trials) {
    public Repetition {
      trials = List.copyOf(trials);
    }

    private boolean has(Set<String> arms) {
      return trials.stream().map(TrialResult::arm).collect(Collectors.toSet()).containsAll(arms);
    }
  }

  /** Which experiments were measured by which commit of the project, in the order of both. */
  public Map<String, Set<String>> commits() {
    Map<String, Set<String>> commits = new LinkedHashMap<>();
    repetitions.forEach(
        repetition ->
            commits
                .computeIfAbsent(repetition.commit(), commit -> new LinkedHashSet<>())
                .add(repetition.experiment()));
    return commits;
  }

  /** The trials that these arms had in a repetition, if all of them took part in it. */
  public Optional<List<TrialResult>> trials(String experiment, int number, List<Arm> arms) {
    Set<String> names = arms.stream().map(Arm::name).collect(Collectors.toSet());
    return repetitions.stream()
        .filter(
            repetition ->
                repetition.experiment().equals(experiment)
                    && repetition.number() == number
                    && repetition.has(names))
        .findFirst()
        .map(
            repetition ->
                repetition.trials().stream().filter(trial -> names.contains(trial.arm())).toList());
  }
}
