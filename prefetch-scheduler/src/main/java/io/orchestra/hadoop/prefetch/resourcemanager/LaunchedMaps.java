package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Share;
import io.orchestra.hadoop.prefetch.resourcemanager.LaunchScore.Score;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Function;

/**
 * Maps that have their containers, until all of their input should be there: then it is counted
 * whether it is. Not safe for concurrent use.
 */
final class LaunchedMaps {
  /** What is beyond is counted before its time. */
  static final int MOST = 20_000;

  /**
   * A map that has its container and has not read yet.
   *
   * @param readsAt nanoseconds when all of its input should be there
   */
  record Launched(String job, String task, String host, boolean local, long readsAt) {}

  private final Function<Launched, List<Share>> shares;
  private final Queue<Launched> launched =
      new PriorityQueue<>(Comparator.comparingLong(Launched::readsAt));
  private final LaunchScore launches = new LaunchScore();

  /**
   * @param shares of a map's blocks that were to be brought
   */
  LaunchedMaps(Function<Launched, List<Share>> shares) {
    this.shares = shares;
  }

  void add(Launched map) {
    if (launched.size() >= MOST) {
      score(launched.remove());
    }
    launched.add(map);
  }

  /** Counts those who read now. */
  void look(long now) {
    while (!launched.isEmpty() && now - launched.peek().readsAt() >= 0) {
      score(launched.remove());
    }
  }

  private void score(Launched map) {
    launches.launched(map.job(), map.local(), shares.apply(map));
  }

  /** Of all maps. */
  Score score() {
    return launches.score();
  }

  /** Of each job of late. */
  Map<String, Score> jobs() {
    return launches.jobs();
  }
}
