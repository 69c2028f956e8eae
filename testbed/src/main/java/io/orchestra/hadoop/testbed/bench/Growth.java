package io.orchestra.hadoop.testbed.bench;

import java.util.Map;

/**
 * How a figure grows from experiment to experiment: a plot with a line for each arm.
 *
 * @param title what is shown
 * @param axis what grows, such as {@code receivers}
 * @param figure whose median is drawn
 * @param experiments by their names, how much they have of it
 */
public record Growth(String title, String axis, String figure, Map<String, Integer> experiments) {
  public Growth {
    experiments = Map.copyOf(experiments);
  }
}
