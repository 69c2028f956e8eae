package io.orchestra.hadoop.prefetch.upstream;

import io.orchestra.hadoop.prefetch.FlexFetchScheduler;
import io.orchestra.hadoop.prefetch.resourcemanager.Coordinator;
import io.orchestra.hadoop.prefetch.resourcemanager.JobView;
import io.orchestra.hadoop.prefetch.resourcemanager.Speculation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/**
 * Our scheduler with its shadow at work from the first application on: each is taken for a
 * MapReduce job of which nothing is known yet. The first one of a suite waits until its shadow has
 * run.
 */
public class ShadowedScheduler extends FlexFetchScheduler {
  private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(10);

  /** Some suites never stop their ResourceManager. */
  private static final Set<Speculation> RUNNING = ConcurrentHashMap.newKeySet();

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
  public void serviceStart() throws Exception {
    super.serviceStart();
    coordinator().map(Coordinator::speculation).ifPresent(RUNNING::add);
  }

  @Override
  protected void addApplicationAttempt(
      ApplicationAttemptId attempt, boolean transferred, boolean recovering) {
    super.addApplicationAttempt(attempt, transferred, recovering);
    coordinator()
        .ifPresent(
            coordinator -> {
              coordinator
                  .speculation()
                  .jobs()
                  .put(attempt, new JobView(List.of(), List.of(), Set.of(), Map.of()));
              awaitFirstRun();
            });
  }

  @Override
  public void serviceStop() throws Exception {
    Optional<Speculation> ending = coordinator().map(Coordinator::speculation);
    super.serviceStop();
    ending.ifPresent(
        speculation -> {
          RUNNING.remove(speculation);
          RUNS.addAndGet(speculation.runs());
          FAILURES.addAndGet(speculation.failures());
        });
  }

  private static void awaitFirstRun() {
    long end = System.nanoTime() + LONGEST_WAIT;
    try {
      while (runs() + failures() == 0 && end - System.nanoTime() > 0) {
        Thread.sleep(10);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How often the shadows of all schedulers have run. */
  static long runs() {
    return RUNS.get() + RUNNING.stream().mapToLong(Speculation::runs).sum();
  }

  static long failures() {
    return FAILURES.get() + RUNNING.stream().mapToLong(Speculation::failures).sum();
  }
}
