package io.orchestra.hadoop.core.meter;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Exponentially weighted moving average: {@code v = alpha * sample + (1 - alpha) * v} (Sinbad,
 * section 6.2).
 *
 * <p>Immutable: {@link #next} returns the average after one more sample.
 *
 * @param alpha weight of a new sample, in (0, 1]
 * @param value the average so far, in the unit of the samples
 */
public record Ewma(double alpha, double value) {
  public Ewma {
    checkArgument(alpha > 0 && alpha <= 1, "alpha must be in (0, 1]: %s", alpha);
  }

  public Ewma next(double sample) {
    return new Ewma(alpha, alpha * sample + (1 - alpha) * value);
  }
}
