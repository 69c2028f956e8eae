package io.orchestra.hadoop.prefetch.resourcemanager;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/**
 * How often calls of application masters have begun and ended. Hooks of the scheduler write, a copy
 * of it reads; safe for concurrent use.
 */
final class MasterCalls {
  private final Map<ApplicationAttemptId, Long> counts = new ConcurrentHashMap<>();

  void beginsOrEnds(ApplicationAttemptId master) {
    counts.merge(master, 1L, Long::sum);
  }

  long count(ApplicationAttemptId master) {
    return counts.getOrDefault(master, 0L);
  }

  void forget(ApplicationAttemptId master) {
    counts.remove(master);
  }

  /** Forgets all others: one that has ended may call once more. */
  void retain(Predicate<ApplicationAttemptId> isCurrent) {
    counts.keySet().removeIf(isCurrent.negate());
  }
}
