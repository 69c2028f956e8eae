package io.orchestra.hadoop.broadcast.algorithm;

import java.util.Arrays;
import java.util.Random;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.CholeskyDecomposition;

/**
 * The mean of a symmetric matrix plus a product of two thin matrices, fitted to its known entries
 * by alternating ridge regressions: with one factor fixed, each row of the other is a small linear
 * system.
 *
 * <p>The ridge, not the width of the factors, decides how simple the fit is. It costs a product its
 * nuclear norm (Srebro, Rennie and Jaakkola, 2004), so that patterns weaker than the ridge vanish
 * and a large one leaves the mean alone. Factors wider than the rank of the result also keep the
 * search out of local minima, in which those of just the right width often end.
 *
 * <p>Each of the {@value #SWEEPS} sweeps takes time in proportion to the known entries times the
 * square of the width.
 */
final class LowRankFit {
  private static final int SWEEPS = 20;
  private static final int WIDTH = 8;
  private static final double FIRST_GUESS = 0.5;

  private final double mean;
  private final double[][] left;
  private final double[][] right;

  private LowRankFit(double mean, double[][] left, double[][] right) {
    this.mean = mean;
    this.left = left;
    this.right = right;
  }

  /**
   * @param matrix symmetric; NaN where unknown
   * @param ridge of the unit of the entries, and positive
   */
  static LowRankFit of(double[][] matrix, double ridge, Random random) {
    double mean =
        Arrays.stream(matrix)
            .flatMapToDouble(Arrays::stream)
            .filter(entry -> !Double.isNaN(entry))
            .average()
            .orElse(0);
    double[][] right = new double[matrix.length][WIDTH];
    for (double[] row : right) {
      Arrays.setAll(row, column -> FIRST_GUESS * random.nextGaussian());
    }
    double[][] left = right;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      left = regress(matrix, mean, right, ridge);
      right = regress(matrix, mean, left, ridge);
    }
    return new LowRankFit(mean, left, right);
  }

  /** One factor from the other; symmetry makes both directions the same. */
  private static double[][] regress(
      double[][] matrix, double mean, double[][] fixed, double ridge) {
    double[][] solved = new double[matrix.length][];
    for (int i = 0; i < matrix.length; i++) {
      double[][] normal = new double[WIDTH][WIDTH];
      double[] target = new double[WIDTH];
      for (int j = 0; j < matrix.length; j++) {
        double entry = matrix[i][j];
        if (Double.isNaN(entry)) {
          continue;
        }
        double[] row = fixed[j];
        for (int a = 0; a < WIDTH; a++) {
          target[a] += row[a] * (entry - mean);
          for (int b = 0; b <= a; b++) {
            normal[a][b] += row[a] * row[b];
          }
        }
      }
      solved[i] = solve(normal, target, ridge);
    }
    return solved;
  }

  /** The normal equations with the ridge; of the matrix only the lower half is given. */
  private static double[] solve(double[][] normal, double[] target, double ridge) {
    for (int a = 0; a < normal.length; a++) {
      normal[a][a] += ridge;
      for (int b = 0; b < a; b++) {
        normal[b][a] = normal[a][b];
      }
    }
    return new CholeskyDecomposition(new Array2DRowRealMatrix(normal, false))
        .getSolver()
        .solve(new ArrayRealVector(target, false))
        .toArray();
  }

  /** Symmetric; all entries known. */
  double[][] matrix() {
    double[][] fitted = new double[left.length][left.length];
    for (int i = 0; i < left.length; i++) {
      for (int j = 0; j < left.length; j++) {
        fitted[i][j] = mean + (product(left[i], right[j]) + product(left[j], right[i])) / 2;
      }
    }
    return fitted;
  }

  private static double product(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
