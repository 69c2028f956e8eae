package io.orchestra.hadoop.prefetch.algorithm.completion;

/**
 * The time a map task has run as a linear function of the input it has read, T = αI + β (FlexFetch,
 * section III-A).
 *
 * @param alpha seconds per byte, not negative
 * @param beta seconds before the first byte
 */
public record LinearModel(double alpha, double beta) {

  /**
   * @param input bytes
   * @return seconds from the launch until so much is read
   */
  public double seconds(long input) {
    return alpha * input + beta;
  }
}
