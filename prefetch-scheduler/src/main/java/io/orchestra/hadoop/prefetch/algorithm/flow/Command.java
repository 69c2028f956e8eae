package io.orchestra.hadoop.prefetch.algorithm.flow;

import java.util.Optional;

/** What the daemon of a flow's target is to do. Rates are bytes per second. */
public sealed interface Command {
  /** The rate of a copy that nobody slows down. */
  long UNPACED = 0;

  PrefetchFlow flow();

  /**
   * Fetch the block.
   *
   * @param before the flow that this one takes the place of, if there is one: the same block for
   *     the same task goes on from another source, and from the one before if that does not give it
   * @param confirmed whether the task had its container before the block was wanted
   * @param launched whether it has one
   */
  record Start(
      PrefetchFlow flow,
      PrefetchNeed need,
      long rate,
      Optional<PrefetchFlow> before,
      boolean confirmed,
      boolean launched)
      implements Command {}

  /**
   * Go on at another rate, or keep for longer what has come.
   *
   * @param rate {@link #UNPACED} for as fast as it goes
   * @param deadline nanoseconds when the block is read
   * @param launched whether the task has its container, and reads it while it comes
   */
  record Pace(PrefetchFlow flow, long rate, long deadline, boolean launched) implements Command {}

  /** Stop. What has come is dropped, but for a whole block, which stays for its time. */
  record Cancel(PrefetchFlow flow) implements Command {}
}
