package io.orchestra.hadoop.prefetch.appmaster;

import java.util.Set;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.impl.MapAttempts;

/** Where a map's input is, and how large. */
interface MapInputs {
  Set<String> hosts(TaskAttempt attempt);

  Set<String> racks(TaskAttempt attempt);

  /** Bytes. */
  long length(Task task);

  /** As MapReduce's application master has them. */
  MapInputs OF_MAPREDUCE =
      new MapInputs() {
        @Override
        public Set<String> hosts(TaskAttempt attempt) {
          return MapAttempts.hosts(attempt);
        }

        @Override
        public Set<String> racks(TaskAttempt attempt) {
          return MapAttempts.racks(attempt);
        }

        @Override
        public long length(Task task) {
          return MapAttempts.input(task);
        }
      };
}
