package io.orchestra.hadoop.prefetch.algorithm.flow;

import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Outcome;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who begins, and at which rate everybody goes on. */
interface RateRule {
  /**
   * A copy does not begin.
   *
   * @param bottleneck the link that has no room; empty if it is not for that
   * @param reason what the outcome does not say; may be empty
   */
  record Refusal(Outcome outcome, Optional<Link> bottleneck, String reason) {
    Refusal(Outcome outcome) {
      this(outcome, Optional.empty(), "");
    }

    /** Whether it is no news after this one, whatever rates were needed and free then and now. */
    boolean isLike(Refusal before) {
      return outcome == before.outcome && bottleneck.equals(before.bottleneck);
    }
  }

  /**
   * @param queue those on their way and those who could begin, in this rule's order
   * @param now nanoseconds of the deadlines' clock
   * @param commands to which is added what has to change, in this order
   * @return those who do not begin, and why; not those who wait for their turn
   */
  Map<PlannedCopy, Refusal> apply(List<PlannedCopy> queue, long now, List<Command> commands);

  /**
   * Who is asked first.
   *
   * @param critical those first whose job has fewer tasks left
   */
  Comparator<PlannedCopy> order(Comparator<PlannedCopy> critical);

  /** A flow from the replica that is best now; empty if there is none. */
  Optional<PrefetchFlow> source(PlannedCopy copy, long now);

  /** Plans for which a copy is kept whose task is expected at another host. */
  int patience();
}
