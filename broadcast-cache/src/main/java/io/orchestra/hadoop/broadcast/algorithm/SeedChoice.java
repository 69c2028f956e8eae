package io.orchestra.hadoop.broadcast.algorithm;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Of which replicas a receiver is told. */
public final class SeedChoice {
  private SeedChoice() {}

  /**
   * For every block its first replica, unless one of its others is chosen already: without it the
   * block could not come at all. Then a second for every block, and so on.
   *
   * @param replicas of each block, the best first
   * @param perBlock how many of one block at most, unless they have other blocks too
   * @param limit in all, but for the first of each block
   */
  public static <T> Set<T> choose(List<List<T>> replicas, int perBlock, int limit) {
    Set<T> chosen = new LinkedHashSet<>();
    for (int wished = 1; wished <= perBlock; wished++) {
      for (List<T> block : replicas) {
        boolean room = wished == 1 || chosen.size() < limit;
        if (room && block.stream().filter(chosen::contains).count() < wished) {
          block.stream()
              .filter(replica -> !chosen.contains(replica))
              .findFirst()
              .ifPresent(chosen::add);
        }
      }
    }
    return chosen;
  }
}
