package io.orchestra.hadoop.core.meter;

/**
 * How samples become an estimate.
 *
 * @param weight of a new sample in the moving average, in (0, 1]
 * @param fromZero whether the average starts at zero, as the paper's does; else the first sample
 *     after a silence is taken as it is, so that a busy link does not look idle for seconds
 */
public record Smoothing(double weight, boolean fromZero) {

  Ewma first(double sample) {
    return fromZero ? new Ewma(weight, 0).next(sample) : new Ewma(weight, sample);
  }

  Ewma next(Ewma last, double sample) {
    return new Ewma(weight, last.value()).next(sample);
  }
}
