package io.orchestra.hadoop.prefetch.algorithm.flow;

import com.google.common.collect.EvictingQueue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Decision;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Outcome;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/** What became of needs, each time they were looked at. Not safe for concurrent use. */
final class DecisionLog {
  private static final int MOST_DECISIONS = 500;

  private final Map<Outcome, Long> foretold = new EnumMap<>(Outcome.class);
  private final Map<Outcome, Long> confirmed = new EnumMap<>(Outcome.class);
  private final Queue<Decision> last = EvictingQueue.create(MOST_DECISIONS);

  void decided(PlannedCopy copy, Outcome outcome, String reason) {
    (copy.confirmed ? confirmed : foretold).merge(outcome, 1L, Long::sum);
    last.add(new Decision(copy.need, outcome, reason));
  }

  /** How often each came about of needs that were foretold. */
  Map<Outcome, Long> foretold() {
    return ImmutableMap.copyOf(foretold);
  }

  /** The same of needs of tasks that had their containers already. */
  Map<Outcome, Long> confirmed() {
    return ImmutableMap.copyOf(confirmed);
  }

  /** The last decisions, the oldest first. */
  List<Decision> last() {
    return ImmutableList.copyOf(last);
  }
}
