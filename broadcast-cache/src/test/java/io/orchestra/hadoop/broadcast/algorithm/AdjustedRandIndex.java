package io.orchestra.hadoop.broadcast.algorithm;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How far two partitions agree about which pairs are together: 1 if they are equal, about 0 if they
 * agree as often as chance would (Hubert and Arabie, 1985).
 */
final class AdjustedRandIndex {
  private AdjustedRandIndex() {}

  static double of(int[] one, int[] other) {
    double together = pairs(IntStream.range(0, one.length).mapToObj(i -> one[i] + " " + other[i]));
    double inOne = pairs(Arrays.stream(one).boxed());
    double inOther = pairs(Arrays.stream(other).boxed());
    double byChance = inOne * inOther / choose2(one.length);
    double most = (inOne + inOther) / 2;
    // Both have one group, or both have nothing but groups of one.
    return most == byChance ? 1 : (together - byChance) / (most - byChance);
  }

  private static <T> double pairs(Stream<T> groups) {
    Map<T, Long> sizes =
        groups.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    return sizes.values().stream().mapToDouble(AdjustedRandIndex::choose2).sum();
  }

  private static double choose2(long count) {
    return count * (count - 1) / 2.0;
  }
}
