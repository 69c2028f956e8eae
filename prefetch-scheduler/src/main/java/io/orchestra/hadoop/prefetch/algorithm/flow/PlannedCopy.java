package io.orchestra.hadoop.prefetch.algorithm.flow;

import io.orchestra.hadoop.core.topology.Link;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the planner knows of one block on its way to one task. Belongs to it alone. */
final class PlannedCopy {
  enum State {
    /** Has a flow, and is on its way or waits for its turn. */
    COPYING,
    /** Another source is to be tried. */
    FAILED,
    /** The block is there, or its task reads it, or nobody can bring it: there is nothing to do. */
    SETTLED
  }

  final Set<String> failedSources = new HashSet<>();
  State state = State.COPYING;
  PrefetchFlow flow;

  /** Of the flow, when it began. */
  List<Link> path;

  PrefetchNeed need;
  long done;
  int missing;
  boolean arrived;
  boolean launched;
  boolean confirmed;

  /** What its daemon was told, bytes per second; 0 before it is started. */
  long told;

  /** Bytes that its links still expect. */
  long waiting;

  PlannedCopy(PrefetchNeed need) {
    this.need = need;
  }

  /** Whether its daemon has been told of it. */
  boolean isStarted() {
    return told > 0;
  }

  /** Bytes that have not come. */
  long remaining() {
    return Math.max(0, need.length() - done);
  }
}
