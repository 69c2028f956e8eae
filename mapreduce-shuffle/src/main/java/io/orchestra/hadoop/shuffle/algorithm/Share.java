package io.orchestra.hadoop.shuffle.algorithm;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * What one reducer is to get of a map output, or of all outputs on one sender.
 *
 * @param own bytes for this reducer: d_ij
 * @param all bytes for all reducers of the job, this one among them: C_j
 */
public record Share(long own, long all) {
  static final Share NONE = new Share(0, 0);

  public Share {
    checkArgument(own >= 0 && own <= all, "%s of %s bytes", own, all);
  }

  Share plus(Share other) {
    return new Share(own + other.own, all + other.all);
  }

  Share minus(Share other) {
    return new Share(own - other.own, all - other.all);
  }
}
