package io.orchestra.hadoop.broadcast.algorithm;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * All pairs of points, ordered by their dissimilarity. Pairs are sorted once; later only those that
 * are equally dissimilar are put in order.
 */
final class PairOrder {
  private final int[] first;
  private final int[] second;
  private final double[] dissimilarities;

  /** For each pair, behind the last one that is as dissimilar. */
  private final int[] runEnds;

  /**
   * @param matrix symmetric, none unknown
   */
  PairOrder(double[][] matrix) {
    record Pair(int i, int j, double dissimilarity) {}
    Pair[] pairs =
        IntStream.range(0, matrix.length)
            .boxed()
            .flatMap(i -> IntStream.range(0, i).mapToObj(j -> new Pair(i, j, matrix[i][j])))
            .sorted(Comparator.comparingDouble(Pair::dissimilarity))
            .toArray(Pair[]::new);
    first = Arrays.stream(pairs).mapToInt(Pair::i).toArray();
    second = Arrays.stream(pairs).mapToInt(Pair::j).toArray();
    dissimilarities = Arrays.stream(pairs).mapToDouble(Pair::dissimilarity).toArray();
    runEnds = new int[pairs.length];
    for (int pair = pairs.length - 1; pair >= 0; pair--) {
      boolean last = pair == pairs.length - 1 || dissimilarities[pair + 1] != dissimilarities[pair];
      runEnds[pair] = last ? pair + 1 : runEnds[pair + 1];
    }
  }

  int first(int pair) {
    return first[pair];
  }

  int second(int pair) {
    return second[pair];
  }

  /** Euclidean, one a pair. */
  double[] distances(double[][] points) {
    double[] distances = new double[first.length];
    for (int pair = 0; pair < distances.length; pair++) {
      double[] a = points[first[pair]];
      double[] b = points[second[pair]];
      double squares = 0;
      for (int axis = 0; axis < a.length; axis++) {
        squares += (a[axis] - b[axis]) * (a[axis] - b[axis]);
      }
      distances[pair] = Math.sqrt(squares);
    }
    return distances;
  }

  /** The distances nearest to these of which none is less than that of a more similar pair. */
  double[] inOrder(double[] distances) {
    int[] order = IntStream.range(0, distances.length).toArray();
    for (int start = 0; start < order.length; start = runEnds[start]) {
      if (runEnds[start] - start > 1) {
        int[] run =
            IntStream.range(start, runEnds[start])
                .boxed()
                .sorted(Comparator.comparingDouble(pair -> distances[pair]))
                .mapToInt(Integer::intValue)
                .toArray();
        System.arraycopy(run, 0, order, start, run.length);
      }
    }
    double[] sorted = Arrays.stream(order).mapToDouble(pair -> distances[pair]).toArray();
    double[] fitted = IsotonicRegression.fit(sorted);
    double[] wished = new double[distances.length];
    for (int position = 0; position < order.length; position++) {
      wished[order[position]] = fitted[position];
    }
    return wished;
  }

  /** By what to multiply distances so that they fit the dissimilarities in least squares. */
  double factorFor(double[] distances) {
    double products = 0;
    double squares = 0;
    for (int pair = 0; pair < distances.length; pair++) {
      products += distances[pair] * dissimilarities[pair];
      squares += distances[pair] * distances[pair];
    }
    return squares == 0 ? 1 : products / squares;
  }
}
