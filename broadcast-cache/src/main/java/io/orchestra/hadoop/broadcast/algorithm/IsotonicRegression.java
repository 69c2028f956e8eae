package io.orchestra.hadoop.broadcast.algorithm;

/**
 * The sequence that never falls and is nearest to a given one in least squares, by pooling adjacent
 * violators. Linear in the length.
 */
final class IsotonicRegression {
  private IsotonicRegression() {}

  /**
   * @return as long as {@code values}, which stay as they are
   */
  static double[] fit(double[] values) {
    // Blocks of neighbours that share their mean; the means rise from block to block.
    double[] means = new double[values.length];
    int[] lengths = new int[values.length];
    int blocks = 0;
    for (double value : values) {
      double mean = value;
      int length = 1;
      while (blocks > 0 && means[blocks - 1] >= mean) {
        blocks--;
        int pooled = length + lengths[blocks];
        mean += (means[blocks] - mean) * lengths[blocks] / pooled;
        length = pooled;
      }
      means[blocks] = mean;
      lengths[blocks] = length;
      blocks++;
    }
    double[] fitted = new double[values.length];
    int next = 0;
    for (int block = 0; block < blocks; block++) {
      for (int i = 0; i < lengths[block]; i++) {
        fitted[next++] = means[block];
      }
    }
    return fitted;
  }
}
