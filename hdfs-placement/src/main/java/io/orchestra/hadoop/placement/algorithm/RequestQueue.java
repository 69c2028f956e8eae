package io.orchestra.hadoop.placement.algorithm;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Requests that are decided together at the end of an interval q > 0, those of writes that are
 * nearest to their end first (Sinbad, pseudocode 1 and section 6.3). Used by one thread.
 *
 * <p>For simulation only: in a NameNode a client waits for each decision, so there q = 0 and
 * nothing is queued.
 *
 * @param <R> a request for the replicas of one block
 */
public final class RequestQueue<R> {
  private record Waiting<R>(R request, int remainingBlocks) {}

  private final List<Waiting<R>> waiting = new ArrayList<>();

  /**
   * @param remainingBlocks of the write that the block belongs to, this one included
   */
  public void add(R request, int remainingBlocks) {
    checkArgument(remainingBlocks > 0, "remaining blocks: %s", remainingBlocks);
    waiting.add(new Waiting<>(request, remainingBlocks));
  }

  /**
   * Empties the queue.
   *
   * @return what was in it, in the order in which it is to be decided; of equals the one that came
   *     first
   */
  public ImmutableList<R> dispatch() {
    ImmutableList<R> ordered =
        waiting.stream()
            .sorted(Comparator.comparingInt(Waiting::remainingBlocks))
            .map(Waiting::request)
            .collect(ImmutableList.toImmutableList());
    waiting.clear();
    return ordered;
  }
}
