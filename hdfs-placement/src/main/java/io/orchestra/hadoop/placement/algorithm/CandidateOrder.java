package io.orchestra.hadoop.placement.algorithm;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Hosts sorted by the score they had when the order was made, best first, in runs of equal scores.
 *
 * <p>Scores may only fall afterwards. The old score is therefore an upper bound, and the search for
 * the best host can stop at the first run whose bound is no better than what it has found: usually
 * after one host.
 */
final class CandidateOrder {
  private final int[] hosts;
  private final long[] bounds;

  /** For each position, where the next run begins. */
  private final int[] runEnds;

  CandidateOrder(IntStream candidates, IntToLongFunction score) {
    record Scored(int host, long score) {}
    Scored[] scored =
        candidates
            .mapToObj(host -> new Scored(host, score.applyAsLong(host)))
            .sorted(Comparator.comparingLong(Scored::score).reversed())
            .toArray(Scored[]::new);
    hosts = Arrays.stream(scored).mapToInt(Scored::host).toArray();
    bounds = Arrays.stream(scored).mapToLong(Scored::score).toArray();
    runEnds = new int[hosts.length];
    for (int i = hosts.length - 1; i >= 0; i--) {
      boolean last = i == hosts.length - 1 || bounds[i + 1] != bounds[i];
      runEnds[i] = last ? i + 1 : runEnds[i + 1];
    }
  }

  /**
   * Finds the acceptable host with the highest score now; among equals each is equally likely to be
   * met first.
   *
   * @param score no higher than it was for any host when the order was made
   * @return -1 if no host is acceptable
   */
  int best(IntPredicate acceptable, IntToLongFunction score, RandomGenerator random) {
    int best = -1;
    long bestScore = -1;
    for (int start = 0; start < hosts.length; start = runEnds[start]) {
      long bound = bounds[start];
      if (bestScore >= bound) {
        return best;
      }
      int length = runEnds[start] - start;
      int offset = length == 1 ? 0 : random.nextInt(length);
      for (int i = 0; i < length; i++) {
        int host = hosts[start + (offset + i) % length];
        if (!acceptable.test(host)) {
          continue;
        }
        long now = score.applyAsLong(host);
        if (now > bestScore) {
          best = host;
          bestScore = now;
          if (now >= bound) {
            return best;
          }
        }
      }
    }
    return best;
  }
}
