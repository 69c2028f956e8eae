package io.orchestra.hadoop.prefetch.algorithm.flow;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSet;
import java.util.Set;

/**
 * A task that will read a block where it is not.
 *
 * @param task id of its attempt
 * @param job it belongs to
 * @param block it will read
 * @param target host it will run on
 * @param replicas hosts that have the block
 * @param length of the block, bytes
 * @param launch nanoseconds when the task gets its container
 * @param deadline nanoseconds when the task reads it
 */
public record PrefetchNeed(
    String task,
    String job,
    String block,
    String target,
    Set<String> replicas,
    long length,
    long launch,
    long deadline) {
  public PrefetchNeed {
    replicas = ImmutableSet.copyOf(replicas);
    checkArgument(length > 0, "%s reads a block of %s bytes", task, length);
    checkArgument(!replicas.contains(target), "%s is on %s", block, target);
  }
}
