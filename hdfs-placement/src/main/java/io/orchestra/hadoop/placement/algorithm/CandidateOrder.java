package io.orchestra.hadoop.placement.algorithm;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Hosts sorted by the score they had when the order was made, best first, in runs of equal scores.
 * A run is shuffled, so that neighbours in a rack are not neighbours here.
 *
 * <p>It is made without the load of pending copies, which can only lower scores, and which may be
 * taken back. The score it is made with is therefore an upper bound, and the search for the best
 * host can stop at the first run whose bound is no better than what it has found: usually after one
 * host.
 */
final class CandidateOrder {
  /** Of so many hosts the best is good enough: a bound for the time when all have pending load. */
  private static final int MOST_COMPARED = 64;

  private final int[] hosts;
  private final long[] bounds;

  /** For each position, where the next run begins. */
  private final int[] runEnds;

  CandidateOrder(IntStream candidates, IntToLongFunction score, Random random) {
    record Scored(int host, long score) {}
    List<Scored> scored =
        candidates
            .mapToObj(host -> new Scored(host, score.applyAsLong(host)))
            .collect(Collectors.toList());
    Collections.shuffle(scored, random);
    // The sort is stable: equals stay shuffled.
    scored.sort(Comparator.comparingLong(Scored::score).reversed());
    hosts = scored.stream().mapToInt(Scored::host).toArray();
    bounds = scored.stream().mapToLong(Scored::score).toArray();
    runEnds = new int[hosts.length];
    for (int i = hosts.length - 1; i >= 0; i--) {
      boolean last = i == hosts.length - 1 || bounds[i + 1] != bounds[i];
      runEnds[i] = last ? i + 1 : runEnds[i + 1];
    }
  }

  int size() {
    return hosts.length;
  }

  /**
   * Finds the acceptable host with the highest score now, among the first {@value #MOST_COMPARED}
   * that are acceptable or no better than one that is.
   *
   * @param acceptable asked only for hosts that would be the best
   * @param score no higher than it was for any host when the order was made
   * @return -1 if no host is acceptable
   */
  int best(IntPredicate acceptable, IntToLongFunction score, RandomGenerator random) {
    int best = -1;
    long bestScore = -1;
    int compared = 0;
    for (int start = 0; start < hosts.length; start = runEnds[start]) {
      long bound = bounds[start];
      if (bestScore >= bound) {
        return best;
      }
      int length = runEnds[start] - start;
      int offset = length == 1 ? 0 : random.nextInt(length);
      for (int i = 0; i < length; i++) {
        int host = hosts[start + (offset + i) % length];
        long now = score.applyAsLong(host);
        if (now > bestScore) {
          if (!acceptable.test(host)) {
            continue;
          }
          best = host;
          bestScore = now;
        }
        if (bestScore >= bound || ++compared == MOST_COMPARED) {
          return best;
        }
      }
    }
    return best;
  }
}
