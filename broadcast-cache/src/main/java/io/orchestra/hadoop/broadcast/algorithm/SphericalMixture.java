package io.orchestra.hadoop.broadcast.algorithm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Points drawn from spherical Gaussians of one known spread (Orchestra, section 5.3). Because the
 * spread is given, a group is split only if its parts lie apart by more than the spread explains.
 *
 * @param weights the share of each Gaussian; they add up to 1
 * @param means one row a Gaussian
 * @param logLikelihood of the points it was fitted to
 * @param score the Bayesian information criterion: the fewer Gaussians explain the points the
 *     better, the lower
 */
record SphericalMixture(
    double[] weights, double[][] means, double spread, double logLikelihood, double score) {
  private static final int STARTS = 5;
  private static final int ROUNDS = 100;
  private static final double NO_PROGRESS = 1e-6;

  /** After so many counts in a row that were no better, no larger one is tried. */
  private static final int PATIENCE = 4;

  /** One mixture a number of Gaussians, from 1 to at most {@code most}. */
  static List<SphericalMixture> fitAll(double[][] points, double spread, int most, Random random) {
    List<SphericalMixture> mixtures = new ArrayList<>();
    int best = 0;
    while (mixtures.size() < most && mixtures.size() <= best + PATIENCE) {
      mixtures.add(fit(points, mixtures.size() + 1, spread, random));
      if (mixtures.get(mixtures.size() - 1).score < mixtures.get(best).score) {
        best = mixtures.size() - 1;
      }
    }
    return mixtures;
  }

  /** The likeliest that expectation maximisation finds from several starts. */
  static SphericalMixture fit(double[][] points, int count, double spread, Random random) {
    return IntStream.range(0, STARTS)
        .mapToObj(start -> maximise(points, farApart(points, count, random), spread))
        .max(Comparator.comparingDouble(SphericalMixture::logLikelihood))
        .orElseThrow();
  }

  /** For each point the Gaussian it most probably comes from. */
  int[] assign(double[][] points) {
    return Stream.of(points)
        .mapToInt(
            point -> {
              double[] logarithms = logDensities(point, weights, means, spread);
              return IntStream.range(0, logarithms.length)
                  .boxed()
                  .max(Comparator.comparingDouble(component -> logarithms[component]))
                  .orElseThrow();
            })
        .toArray();
  }

  private static SphericalMixture maximise(double[][] points, double[][] start, double spread) {
    int count = start.length;
    double[][] means = start;
    double[] weights = new double[count];
    Arrays.fill(weights, 1.0 / count);
    double before = Double.NEGATIVE_INFINITY;
    for (int round = 0; ; round++) {
      double[] shares = new double[count];
      double[][] sums = new double[count][points[0].length];
      double logLikelihood = 0;
      for (double[] point : points) {
        double[] parts = logDensities(point, weights, means, spread);
        logLikelihood += normalise(parts);
        for (int component = 0; component < count; component++) {
          shares[component] += parts[component];
          for (int axis = 0; axis < point.length; axis++) {
            sums[component][axis] += parts[component] * point[axis];
          }
        }
      }
      if (logLikelihood - before < NO_PROGRESS || round == ROUNDS) {
        int parameters = count * points[0].length + count - 1;
        double score = parameters * Math.log(points.length) - 2 * logLikelihood;
        return new SphericalMixture(weights, means, spread, logLikelihood, score);
      }
      before = logLikelihood;
      weights = Arrays.stream(shares).map(share -> share / points.length).toArray();
      means = centres(sums, shares, means);
    }
  }

  /** A Gaussian that no point comes from stays where it was. */
  private static double[][] centres(double[][] sums, double[] shares, double[][] before) {
    return IntStream.range(0, sums.length)
        .mapToObj(
            component ->
                shares[component] > Double.MIN_NORMAL
                    ? Arrays.stream(sums[component]).map(sum -> sum / shares[component]).toArray()
                    : before[component])
        .toArray(double[][]::new);
  }

  private static double[] logDensities(
      double[] point, double[] weights, double[][] means, double spread) {
    double variance = spread * spread;
    double constant = point.length / 2.0 * Math.log(2 * Math.PI * variance);
    double[] logarithms = new double[means.length];
    for (int component = 0; component < means.length; component++) {
      logarithms[component] =
          Math.log(weights[component])
              - squaredDistance(point, means[component]) / (2 * variance)
              - constant;
    }
    return logarithms;
  }

  /** Turns logarithms into shares that add up to 1; returns the logarithm of what their sum was. */
  private static double normalise(double[] logarithms) {
    double largest = Arrays.stream(logarithms).max().orElseThrow();
    double sum = Arrays.stream(logarithms).map(value -> Math.exp(value - largest)).sum();
    Arrays.setAll(logarithms, i -> Math.exp(logarithms[i] - largest) / sum);
    return largest + Math.log(sum);
  }

  /** Points as first means: each is drawn the likelier, the farther it is from those before. */
  private static double[][] farApart(double[][] points, int count, Random random) {
    double[] nearest = new double[points.length];
    Arrays.fill(nearest, 1);
    double[][] chosen = new double[count][];
    for (int component = 0; component < count; component++) {
      double[] newest = points[draw(nearest, random)];
      chosen[component] = newest;
      boolean only = component == 0;
      Arrays.setAll(
          nearest,
          i -> {
            double squared = squaredDistance(points[i], newest);
            return only ? squared : Math.min(nearest[i], squared);
          });
    }
    return chosen;
  }

  private static int draw(double[] odds, Random random) {
    double left = random.nextDouble() * Arrays.stream(odds).sum();
    for (int i = 0; i < odds.length; i++) {
      left -= odds[i];
      if (left < 0) {
        return i;
      }
    }
    // All odds are zero, or rounding left a remainder.
    return random.nextInt(odds.length);
  }

  private static double squaredDistance(double[] a, double[] b) {
    double squares = 0;
    for (int axis = 0; axis < a.length; axis++) {
      squares += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    }
    return squares;
  }
}
