package io.orchestra.hadoop.prefetch.algorithm.flow;

import com.google.common.collect.EnumMultiset;
import com.google.common.collect.EvictingQueue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Decision;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Outcome;
import java.util.List;
import java.util.Queue;

/** What became of needs, each time they were looked at. Not safe for concurrent use. */
final class DecisionLog {
  private static final int MOST_DECISIONS = 500;

  private final Multiset<Outcome> foretold = EnumMultiset.create(Outcome.class);
  private final Multiset<Outcome> confirmed = EnumMultiset.create(Outcome.class);
  private final Queue<Decision> last = EvictingQueue.create(MOST_DECISIONS);

  void decided(PlannedCopy copy, Outcome outcome, String reason) {
    (copy.confirmed ? confirmed : foretold).add(outcome);
    last.add(new Decision(copy.need, outcome, reason));
  }

  /** How often each came about of needs that were foretold. */
  Multiset<Outcome> foretold() {
    return Multisets.unmodifiableMultiset(foretold);
  }

  /** The same of needs of tasks that had their containers already. */
  Multiset<Outcome> confirmed() {
    return Multisets.unmodifiableMultiset(confirmed);
  }

  /** The last decisions, the oldest first. */
  List<Decision> last() {
    return ImmutableList.copyOf(last);
  }
}
