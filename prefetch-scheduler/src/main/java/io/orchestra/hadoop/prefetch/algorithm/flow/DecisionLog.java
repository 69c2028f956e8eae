package io.orchestra.hadoop.prefetch.algorithm.flow;

import com.google.common.collect.EvictingQueue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.orchestra.hadoop.prefetch.algorithm.flow.CopyTable.Place;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Decision;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Outcome;
import io.orchestra.hadoop.prefetch.algorithm.flow.RateRule.Refusal;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/**
 * What became of needs: it counts each time they were looked at, and is told when it changes. Not
 * safe for concurrent use.
 */
final class DecisionLog {
  private static final int MOST_DECISIONS = 500;

  private final Map<Outcome, Long> foretold = new EnumMap<>(Outcome.class);
  private final Map<Outcome, Long> confirmed = new EnumMap<>(Outcome.class);
  private final Queue<Decision> last = EvictingQueue.create(MOST_DECISIONS);

  /** Of needs that have not begun since: why not, as was told last. */
  private final Map<Place, Refusal> refusals = new HashMap<>();

  void decided(PlannedCopy copy, Outcome outcome, String reason) {
    refusals.remove(Place.of(copy.need));
    count(copy, outcome);
    last.add(new Decision(copy.need, outcome, reason));
  }

  /** A need does not begin, as plan after plan may find. */
  void refused(PlannedCopy copy, Refusal refusal) {
    count(copy, refusal.outcome());
    Refusal before = refusals.put(Place.of(copy.need), refusal);
    if (before == null || !refusal.isLike(before)) {
      last.add(new Decision(copy.need, refusal.outcome(), refusal.reason()));
    }
  }

  private void count(PlannedCopy copy, Outcome outcome) {
    (copy.confirmed ? confirmed : foretold).merge(outcome, 1L, Long::sum);
  }

  /** If others than these are refused again, that is told anew. */
  void retain(Set<Place> needs) {
    refusals.keySet().retainAll(needs);
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
