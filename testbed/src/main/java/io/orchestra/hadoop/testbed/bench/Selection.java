package io.orchestra.hadoop.testbed.bench;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What of a benchmark is run.
 *
 * @param experiments all if there are none
 * @param arms of these experiments; all if there are none
 */
public record Selection(Set<String> experiments, Set<String> arms) {
  public static final Selection ALL = new Selection(Set.of(), Set.of());

  public Selection {
    experiments = Collections.unmodifiableSet(new LinkedHashSet<>(experiments));
    arms = Collections.unmodifiableSet(new LinkedHashSet<>(arms));
  }

  boolean hasExperiment(String name) {
    return experiments.isEmpty() || experiments.contains(name);
  }

  boolean hasArm(String name) {
    return arms.isEmpty() || arms.contains(name);
  }

  /** The words of the command line that say so, each after a space. */
  public String options() {
    return (experiments.isEmpty() ? "" : " --only " + String.join(",", experiments))
        + arms.stream().map(arm -> " --arm '" + arm + "'").collect(Collectors.joining());
  }
}
