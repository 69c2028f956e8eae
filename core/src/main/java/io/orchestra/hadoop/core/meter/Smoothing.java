package io.orchestra.hadoop.core.meter;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * How samples become an estimate: as their exponentially weighted moving average (Sinbad, section
 * 6.2).
 *
 * @param weight of a new sample, in (0, 1]
 * @param fromZero whether the average starts at zero, as the paper's does; else the first sample
 *     after a silence is taken as it is, so that a busy link does not look idle for seconds
 */
public record Smoothing(double weight, boolean fromZero) {
  public Smoothing {
    checkArgument(weight > 0 && weight <= 1, "weight must be in (0, 1]: %s", weight);
  }

  double first(double sample) {
    return fromZero ? next(0, sample) : sample;
  }

  double next(double average, double sample) {
    return weight * sample + (1 - weight) * average;
  }
}
