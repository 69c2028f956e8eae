package io.orchestra.hadoop.testbed.bench;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The trace that jobs are taken from.
 *
 * @param swim a file of SWIM's; the project's own recorded trace if empty
 * @param scale how many times the bytes that suit the benchmark's cluster; of SWIM's traces only
 */
public record Workload(Optional<Path> swim, double scale) {
  /** The trace that comes with the project. */
  public static final Workload RECORDED = new Workload(Optional.empty(), 1);

  public Workload {
    if (!(scale > 0) || Double.isInfinite(scale)) {
      throw new IllegalArgumentException("scale: above 0, not " + scale);
    }
  }

  /** The options that ask for it; nothing for the recorded trace. */
  public String options() {
    return swim.map(file -> " --swim %s --scale %s".formatted(file, scale)).orElse("");
  }
}
