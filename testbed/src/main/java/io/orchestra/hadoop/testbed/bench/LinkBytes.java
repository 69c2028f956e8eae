package io.orchestra.hadoop.testbed.bench;

import java.util.Map;

/** Counts what links carry. */
@FunctionalInterface
public interface LinkBytes {

  /**
   * Bytes that each link has carried since some time in the past, by the link's name. A link of two
   * directions is two links here, such as {@code r1h1 down}.
   */
  Map<String, Long> read();
}
