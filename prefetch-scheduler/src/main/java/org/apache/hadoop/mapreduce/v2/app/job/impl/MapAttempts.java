package org.apache.hadoop.mapreduce.v2.app.job.impl;

import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/** What an application master asks containers for, which it shows only within its package. */
public final class MapAttempts {
  private MapAttempts() {}

  /** Hosts that have a map's input, as they are asked for; empty for other attempts. */
  public static Set<String> hosts(TaskAttempt attempt) {
    return attempt instanceof TaskAttemptImpl known ? Set.copyOf(known.dataLocalHosts) : Set.of();
  }

  /** The same for racks. */
  public static Set<String> racks(TaskAttempt attempt) {
    return attempt instanceof TaskAttemptImpl known ? Set.copyOf(known.dataLocalRacks) : Set.of();
  }

  /** Where a map's split is written; empty for other tasks. */
  public static Optional<TaskSplitIndex> split(Task task) {
    return task instanceof MapTaskImpl map
        ? Optional.of(map.getTaskSplitMetaInfo().getSplitIndex())
        : Optional.empty();
  }

  /** Bytes of a map's split; 0 for other tasks. */
  public static long input(Task task) {
    return task instanceof MapTaskImpl map ? map.getTaskSplitMetaInfo().getInputDataLength() : 0;
  }
}
