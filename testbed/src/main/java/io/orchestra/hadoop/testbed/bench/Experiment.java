package io.orchestra.hadoop.testbed.bench;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Arms that are measured in turn under the same conditions.
 *
 * @param name small letters, digits and hyphens; unique in its benchmark
 * @param description what happens in it, in a sentence or two
 * @param arms all of them, with different names
 * @param links sampled while an arm is measured; needed if any arm must keep a link busy
 * @param warmUps how many trials of each arm come first and are not counted
 */
public record Experiment(
    String name, String description, List<Arm> arms, Optional<Links> links, int warmUps) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]*");

  public Experiment {
    arms = List.copyOf(arms);
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "experiment '" + name + "': use small letters, digits and hyphens");
    }
    if (arms.isEmpty() || arms.stream().map(Arm::name).distinct().count() < arms.size()) {
      throw new IllegalArgumentException(name + " needs arms of different names");
    }
    if (warmUps < 0) {
      throw new IllegalArgumentException(name + ": " + warmUps + " warm-ups");
    }
    for (Arm arm : arms) {
      if (links.isEmpty() && arm.demands().whyNoBusyLink().isEmpty()) {
        throw new IllegalArgumentException(
            "%s: arm %s must keep a link busy, but no links are sampled; give links, or the reason in withoutBusyLink"
                .formatted(name, arm.name()));
      }
    }
  }

  /** An experiment with one warm-up of each arm. */
  public static Experiment of(String name, String description, Links links, List<Arm> arms) {
    return new Experiment(name, description, arms, Optional.of(links), 1);
  }

  /** An experiment with one warm-up that demands no busy link of any arm. */
  public static Experiment withoutBusyLink(
      String name, String description, String why, Optional<Links> links, List<Arm> arms) {
    return new Experiment(
        name, description, arms.stream().map(arm -> arm.withoutBusyLink(why)).toList(), links, 1);
  }

  /**
   * The same experiment with some of its arms only.
   *
   * @throws IllegalArgumentException if none of them is one of these
   */
  public Experiment withArms(Predicate<Arm> which) {
    return new Experiment(name, description, arms.stream().filter(which).toList(), links, warmUps);
  }

  public Experiment withWarmUps(int count) {
    return new Experiment(name, description, arms, links, count);
  }
}
