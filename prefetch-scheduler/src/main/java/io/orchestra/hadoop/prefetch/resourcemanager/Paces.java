package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.algorithm.shadow.SpeculativeRun.Pace;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

/** When the next heartbeats and updates are due, on the clock of the shadow. */
public interface Paces {
  Pace updates();

  /** Empty for a node that will not report, or gets no containers any more. */
  Optional<Pace> node(SchedulerNode node);

  Pace master(ApplicationAttemptId attempt);
}
