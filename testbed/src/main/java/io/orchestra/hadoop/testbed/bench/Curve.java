package io.orchestra.hadoop.testbed.bench;

import java.util.List;

/**
 * How one thing changed in the course of a trial: a line of a plot.
 *
 * @param name of the line
 * @param seconds since the beginning, ascending
 * @param values at these times, as many
 */
public record Curve(String name, List<Double> seconds, List<Double> values) {
  public Curve {
    seconds = List.copyOf(seconds);
    values = List.copyOf(values);
    if (seconds.size() != values.size()) {
      throw new IllegalArgumentException(
          "%s: %d values at %d times".formatted(name, values.size(), seconds.size()));
    }
  }
}
