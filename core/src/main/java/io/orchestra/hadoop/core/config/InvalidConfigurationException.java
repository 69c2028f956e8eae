package io.orchestra.hadoop.core.config;

import java.util.List;

/** A module's configuration cannot be used. The message lists every problem with its remedy. */
public final class InvalidConfigurationException extends Exception {
  private static final long serialVersionUID = 1L;

  public InvalidConfigurationException(List<String> problems) {
    super(
        (problems.size() == 1 ? "1 problem" : problems.size() + " problems")
            + " in the configuration:\n  "
            + String.join("\n  ", problems));
  }
}
