package io.orchestra.hadoop.broadcast.algorithm;

import java.util.Comparator;
import java.util.stream.IntStream;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.EigenDecomposition;

/**
 * Classical multidimensional scaling: the points whose inner products are nearest to those that the
 * dissimilarities would have, were they distances. Cubic in the number of points.
 */
final class MetricScaling {
  private MetricScaling() {}

  /**
   * @param dissimilarities symmetric, none unknown
   * @return one row a point; fewer points than dimensions leave zeros
   */
  static double[][] scale(double[][] dissimilarities, int dimensions) {
    int size = dissimilarities.length;
    EigenDecomposition eigen =
        new EigenDecomposition(new Array2DRowRealMatrix(innerProducts(dissimilarities), false));
    int[] largest =
        IntStream.range(0, size)
            .boxed()
            .sorted(Comparator.comparingDouble(eigen::getRealEigenvalue).reversed())
            .limit(dimensions)
            .mapToInt(Integer::intValue)
            .toArray();
    double[][] points = new double[size][dimensions];
    for (int axis = 0; axis < largest.length; axis++) {
      double length = Math.sqrt(Math.max(0, eigen.getRealEigenvalue(largest[axis])));
      double[] direction = eigen.getEigenvector(largest[axis]).toArray();
      for (int i = 0; i < size; i++) {
        points[i][axis] = length * direction[i];
      }
    }
    return points;
  }

  /** Minus half the squares, rows and columns centred. */
  private static double[][] innerProducts(double[][] dissimilarities) {
    int size = dissimilarities.length;
    double[][] products = new double[size][size];
    double[] means = new double[size];
    double mean = 0;
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        products[i][j] = -dissimilarities[i][j] * dissimilarities[i][j] / 2;
        means[i] += products[i][j] / size;
      }
      mean += means[i] / size;
    }
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        products[i][j] += mean - means[i] - means[j];
      }
    }
    return products;
  }
}
