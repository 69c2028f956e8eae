package io.orchestra.hadoop.broadcast.algorithm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/** Whom a receiver asks when there are more receivers than it can ask. */
public final class NeighbourChoice {
  private NeighbourChoice() {}

  /**
   * Half of the neighbours are near, so that pieces spread fast where links are cheap; the others
   * are from everywhere, so that no group of receivers is left to itself.
   *
   * @param others all receivers but the one that asks
   * @return at most {@code limit} of them, all if there are not more
   */
  public static <T> List<T> choose(List<T> others, Predicate<T> near, int limit, Random random) {
    if (others.size() <= limit) {
      return List.copyOf(others);
    }
    List<T> shuffled = new ArrayList<>(others);
    Collections.shuffle(shuffled, random);
    Set<T> chosen = new LinkedHashSet<>();
    shuffled.stream().filter(near).limit(limit / 2).forEach(chosen::add);
    shuffled.stream()
        .filter(other -> !chosen.contains(other))
        .limit(limit - chosen.size())
        .toList()
        .forEach(chosen::add);
    return List.copyOf(chosen);
  }
}
