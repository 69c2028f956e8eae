package io.orchestra.hadoop.prefetch.algorithm.flow;

/** What the daemon of a flow's target is to do. Rates are bytes per second. */
public sealed interface Command {
  PrefetchFlow flow();

  /** Fetch the block. */
  record Start(PrefetchFlow flow, PrefetchNeed need, long rate) implements Command {}

  /** Go on at another rate. */
  record Pace(PrefetchFlow flow, long rate) implements Command {}

  /** Stop, and drop what has come. */
  record Cancel(PrefetchFlow flow) implements Command {}
}
