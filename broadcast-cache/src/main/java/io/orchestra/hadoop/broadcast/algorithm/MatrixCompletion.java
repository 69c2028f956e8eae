package io.orchestra.hadoop.broadcast.algorithm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Fills the gaps of a matrix of times (Orchestra, section 5.3).
 *
 * <p>Racks make the matrix one of low rank: peers of a rack have the same times with everybody. The
 * paper factors the times into nonnegative matrices. Here their logarithms are factored: results
 * are positive without a constraint, a wrong piece of one second counts no more than one of 100 ms,
 * and the noise, which multiplies times, is of equal size everywhere. See {@link LowRankFit}. The
 * ridge is the one that predicts times best that were held back.
 *
 * <p>Known times stay as they are. With n peers and m known pairs the cost is a few thousand times
 * m, and nothing if no pair is missing.
 */
final class MatrixCompletion {
  private static final double[] RIDGES = {0.1, 0.3, 1, 3, 10, 30};
  private static final int FOLDS = 5;

  private final double[][] logarithms;
  private final Random random;

  private record Pair(int i, int j) {}

  private MatrixCompletion(double[][] logarithms, Random random) {
    this.logarithms = logarithms;
    this.random = random;
  }

  /**
   * @param times symmetric and positive; NaN where unknown, and on the diagonal
   * @return without NaN, and zero on the diagonal
   */
  static double[][] complete(double[][] times, Random random) {
    double[][] logarithms =
        Arrays.stream(times)
            .map(row -> Arrays.stream(row).map(Math::log).toArray())
            .toArray(double[][]::new);
    List<Pair> known = new ArrayList<>();
    for (int i = 0; i < times.length; i++) {
      for (int j = 0; j < i; j++) {
        if (!Double.isNaN(times[i][j])) {
          known.add(new Pair(i, j));
        }
      }
    }
    boolean complete = known.size() == times.length * (times.length - 1) / 2;
    double[][] fitted = complete ? logarithms : new MatrixCompletion(logarithms, random).fit(known);
    double[][] full = new double[times.length][times.length];
    for (int i = 0; i < times.length; i++) {
      for (int j = 0; j < times.length; j++) {
        if (i != j) {
          full[i][j] = Double.isNaN(times[i][j]) ? Math.exp(fitted[i][j]) : times[i][j];
        }
      }
    }
    return full;
  }

  private double[][] fit(List<Pair> known) {
    List<Pair> shuffled = new ArrayList<>(known);
    Collections.shuffle(shuffled, random);
    record Candidate(double ridge, double error) {}
    double best =
        Arrays.stream(RIDGES)
            .mapToObj(ridge -> new Candidate(ridge, heldBackError(shuffled, ridge)))
            .min(Comparator.comparingDouble(Candidate::error))
            .orElseThrow()
            .ridge;
    return LowRankFit.of(logarithms, best, random).matrix();
  }

  private double heldBackError(List<Pair> known, double ridge) {
    return IntStream.range(0, FOLDS)
        .mapToDouble(
            fold -> {
              List<Pair> heldBack =
                  known.subList(fold * known.size() / FOLDS, (fold + 1) * known.size() / FOLDS);
              double[][] fitted = LowRankFit.of(without(heldBack), ridge, random).matrix();
              return heldBack.stream()
                  .mapToDouble(pair -> fitted[pair.i][pair.j] - logarithms[pair.i][pair.j])
                  .map(error -> error * error)
                  .sum();
            })
        .sum();
  }

  private double[][] without(List<Pair> heldBack) {
    double[][] rest = Arrays.stream(logarithms).map(double[]::clone).toArray(double[][]::new);
    for (Pair pair : heldBack) {
      rest[pair.i][pair.j] = Double.NaN;
      rest[pair.j][pair.i] = Double.NaN;
    }
    return rest;
  }
}
