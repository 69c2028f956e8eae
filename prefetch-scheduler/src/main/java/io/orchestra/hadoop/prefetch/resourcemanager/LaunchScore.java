package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Share;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where launched maps found their input: a locality figure of our own, as MapReduce's counts only
 * replicas. Not safe for concurrent use.
 */
final class LaunchScore {
  private static final int MOST_JOBS = 1000;
  private static final float LOAD_FACTOR = 0.75f;

  /**
   * Maps by where their input was when they were to read it.
   *
   * @param local a replica on their host
   * @param ready brought there in full
   * @param partly some of it brought there
   * @param away none of it
   * @param confirmedReady brought there in full, but only since the map had its container
   * @param confirmedPartly the same of some of it
   */
  record Score(
      long local, long ready, long partly, long away, long confirmedReady, long confirmedPartly) {
    static final Score NONE = new Score(0, 0, 0, 0);

    /** Without confirmed prefetches. */
    Score(long local, long ready, long partly, long away) {
      this(local, ready, partly, away, 0, 0);
    }

    private Score with(boolean isLocal, List<Share> shares) {
      boolean all =
          !shares.isEmpty() && shares.stream().allMatch(each -> each.bytes() == each.length());
      boolean some = shares.stream().anyMatch(each -> each.bytes() > 0);
      boolean isReady = !isLocal && some && all;
      boolean isPartly = !isLocal && some && !all;
      boolean isConfirmed = shares.stream().anyMatch(each -> each.confirmed() && each.bytes() > 0);
      return new Score(
          local + count(isLocal),
          ready + count(isReady && !isConfirmed),
          partly + count(isPartly && !isConfirmed),
          away + count(!isLocal && !some),
          confirmedReady + count(isReady && isConfirmed),
          confirmedPartly + count(isPartly && isConfirmed));
    }

    private static int count(boolean is) {
      return is ? 1 : 0;
    }
  }

  /** Those that have launched maps last. */
  private final Map<String, Score> jobs =
      new LinkedHashMap<>(MOST_JOBS, LOAD_FACTOR, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Score> eldest) {
          return size() > MOST_JOBS;
        }
      };

  private Score all = Score.NONE;

  /**
   * @param shares of its blocks that were to be brought
   */
  void launched(String job, boolean local, List<Share> shares) {
    all = all.with(local, shares);
    jobs.put(job, jobs.getOrDefault(job, Score.NONE).with(local, shares));
  }

  /** Of all maps. */
  Score score() {
    return all;
  }

  /** Of each job of late. */
  Map<String, Score> jobs() {
    return new HashMap<>(jobs);
  }
}
