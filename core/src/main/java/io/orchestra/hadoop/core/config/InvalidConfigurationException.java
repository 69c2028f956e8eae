package io.orchestra.hadoop.core.config;

import com.google.common.collect.ImmutableList;
import java.util.List;

/** A module's configuration cannot be used. The message lists every problem with its remedy. */
public final class InvalidConfigurationException extends Exception {
  private static final long serialVersionUID = 1L;

  private final ImmutableList<String> problems;

  public InvalidConfigurationException(List<String> problems) {
    super(
        (problems.size() == 1 ? "1 problem" : problems.size() + " problems")
            + " in the configuration:\n  "
            + String.join("\n  ", problems));
    this.problems = ImmutableList.copyOf(problems);
  }

  /** Each ends with its remedy. */
  public List<String> problems() {
    return problems;
  }
}
