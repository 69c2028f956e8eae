package io.orchestra.hadoop.prefetch.upstream;

import io.orchestra.hadoop.prefetch.FlexFetchScheduler;
import io.orchestra.hadoop.prefetch.resourcemanager.Coordinator;
import io.orchestra.hadoop.prefetch.resourcemanager.JobView;
import io.orchestra.hadoop.prefetch.resourcemanager.Speculation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/**
 * Our scheduler with its shadow at work from the first application on: each is taken for a
 * MapReduce job of which nothing is known yet.
 */
public class ShadowedScheduler extends FlexFetchScheduler {
  private static final AtomicLong RUNS = new AtomicLong();
  private static final AtomicLong FAILURES = new AtomicLong();

  @Override
  public void serviceInit(Configuration conf) throws Exception {
    conf.set("orchestra.prefetch.interval", "100ms");
    conf.set("orchestra.prefetch.agent.port", "0");
    conf.set("orchestra.prefetch.daemon.port", "0");
    super.serviceInit(conf);
  }

  @Override
  protected void addApplicationAttempt(
      ApplicationAttemptId attempt, boolean transferred, boolean recovering) {
    super.addApplicationAttempt(attempt, transferred, recovering);
    coordinator()
        .ifPresent(
            coordinator ->
                coordinator
                    .speculation()
                    .jobs()
                    .put(attempt, new JobView(List.of(), List.of(), Set.of(), Map.of())));
  }

  @Override
  public void serviceStop() throws Exception {
    Optional<Speculation> ending = coordinator().map(Coordinator::speculation);
    super.serviceStop();
    ending.ifPresent(
        speculation -> {
          RUNS.addAndGet(speculation.runs());
          FAILURES.addAndGet(speculation.failures());
        });
  }

  /** How often the shadows of all schedulers have run. */
  static long runs() {
    return RUNS.get();
  }

  static long failures() {
    return FAILURES.get();
  }
}
