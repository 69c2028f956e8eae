package io.orchestra.hadoop.broadcast.algorithm;

/** Where receivers begin, so that the first pieces they fetch from replicas are different ones. */
public final class Scatter {
  private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

  private Scatter() {}

  /**
   * However many receivers there will be, those with numbers from 0 on lie about equally far apart.
   *
   * @return in [0, 1)
   */
  public static double start(int rank) {
    double position = rank * GOLDEN_RATIO;
    return position - Math.floor(position);
  }
}
