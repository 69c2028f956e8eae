package org.apache.hadoop.mapred;

import javax.crypto.SecretKey;

/** Parts of a reduce task that are visible only in this package. */
public final class ReduceTasks {
  private ReduceTasks() {}

  /** A task that only has a shuffle. */
  public static ReduceTask task(TaskAttemptID attempt, int maps, SecretKey secret) {
    ReduceTask task = new ReduceTask("job.xml", attempt, attempt.getTaskID().getId(), maps, 1);
    task.setShuffleSecret(secret);
    return task;
  }

  /** Where a shuffle says what it could not fetch. */
  public static TaskStatus status() {
    return TaskStatus.createTaskStatus(false);
  }
}
