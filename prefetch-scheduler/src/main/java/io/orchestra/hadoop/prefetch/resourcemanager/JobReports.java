package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import io.orchestra.hadoop.prefetch.algorithm.completion.RecentMaps;
import io.orchestra.hadoop.prefetch.resourcemanager.ReportedJob.Assigned;
import io.orchestra.hadoop.prefetch.rpc.AgentProtocol;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportResponseProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.WaitingMapProto;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * Takes what application masters say of their jobs, and makes of it what the shadow needs. They are
 * user code: nothing they say concerns another job, or grows without limit. Safe for concurrent
 * use.
 */
public final class JobReports implements AgentProtocol {
  /** Bytes of facts of all jobs as they were sent; in memory they take some three times as much. */
  static final long MOST_BYTES = 64L << 20;

  /** Of a job that nothing is foretold of yet. */
  private static final int MOST_UNFORETOLD = 20;

  private static final int MOST_USERS = 1000;

  /** Reports in one interval that tell of containers at once. */
  private static final int PROMPT = 6;

  /** What the scheduler knows. */
  interface SchedulerView {
    /** Whether an application's attempt is the one that runs. */
    boolean isCurrent(ApplicationAttemptId master);

    boolean isLive(ContainerId container);

    /** Nanoseconds when an application master called the scheduler last. */
    long lastHeartbeat(ApplicationAttemptId master);

    /** Whose application it is; empty if there is none. */
    String user(ApplicationAttemptId master);
  }

  /** Hears of maps that have got containers. */
  @FunctionalInterface
  interface Assignments {
    /** Called once for each. */
    void assigned(ApplicationAttemptId master, Assigned map);
  }

  /** Guarded by itself. */
  private static final class Slot {
    private final ReportedJob job;
    private long heardAt;
    private boolean heard;
    private boolean forgotten;

    private Slot(ApplicationAttemptId master, RecentMaps recent) {
      job = new ReportedJob(master, recent);
    }
  }

  private final Jobs jobs;
  private final SchedulerView scheduler;
  private final LongSupplier clock;
  private final Duration interval;
  private final boolean prompt;
  private final long epoch;
  private final Assignments assignments;
  private final TaskInputs inputs;
  private final Map<ApplicationAttemptId, Slot> known = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();

  /** Each user's own: what one user's application masters say concerns nobody else. */
  private final LoadingCache<String, RecentMaps> recent =
      CacheBuilder.newBuilder()
          .maximumSize(MOST_USERS)
          .build(CacheLoader.from(unused -> new RecentMaps()));

  /**
   * @param clock nanoseconds, the same as the scheduler's
   * @param interval from one report to the next
   * @param prompt whether to hear at once of maps that get containers, and before of what they read
   * @param epoch another one than that of any earlier start
   * @param assignments told of each map once
   * @param inputs that are asked for, and told
   */
  JobReports(
      Jobs jobs,
      SchedulerView scheduler,
      LongSupplier clock,
      Duration interval,
      boolean prompt,
      long epoch,
      Assignments assignments,
      TaskInputs inputs) {
    this.jobs = jobs;
    this.scheduler = scheduler;
    this.clock = clock;
    this.interval = interval;
    this.prompt = prompt;
    this.epoch = epoch;
    this.assignments = assignments;
    this.inputs = inputs;
  }

  @Override
  public JobReportResponseProto report(ApplicationAttemptId caller, JobReportProto report)
      throws IOException {
    if (!scheduler.isCurrent(caller)) {
      throw new IOException("%s is not running".formatted(caller));
    }
    try {
      take(caller, report);
    } catch (IOException e) {
      throw new IOException("%s reports %s".formatted(caller, e.getMessage()), e);
    }
    if (!scheduler.isCurrent(caller)) {
      // It ended meanwhile, and whoever forgot it may have been faster.
      forget(caller);
    }
    return JobReportResponseProto.newBuilder()
        .setEpoch(epoch)
        .setMillisToNext(interval.toMillis())
        .setPrompt(prompt)
        .addAllWanted(inputs.takeWanted(caller.getApplicationId().toString()))
        .build();
  }

  private void take(ApplicationAttemptId caller, JobReportProto report) throws IOException {
    Slot slot = known.computeIfAbsent(caller, unused -> new Slot(caller, recent(caller)));
    synchronized (slot) {
      long now = clock.getAsLong();
      if (slot.forgotten) {
        throw new IOException("after its end");
      }
      if (slot.heard && now - slot.heardAt < interval.toNanos() / (prompt ? PROMPT : 2)) {
        throw new IOException("sooner than it was asked to");
      }
      slot.heard = true;
      slot.heardAt = now;
      ReportLimits.verify(report);
      reserve(slot.job.growth(report));
      slot.job.learn(report);
      inputs.learn(caller.getApplicationId().toString(), report.getInputsList());
      if (prompt) {
        wantFirst(caller.getApplicationId().toString(), report.getWaitingList());
      }
      for (Assigned map : slot.job.assigned(report, now)) {
        assignments.assigned(caller, map);
      }
      jobs.put(
          caller, slot.job.view(report, now, scheduler.lastHeartbeat(caller), scheduler::isLive));
    }
  }

  private RecentMaps recent(ApplicationAttemptId master) {
    return recent.getUnchecked(scheduler.user(master));
  }

  /** These may get their containers before anybody foretells it. */
  private void wantFirst(String job, List<WaitingMapProto> waiting) {
    waiting.stream()
        .limit(MOST_UNFORETOLD)
        .filter(map -> inputs.of(job, map.getTask()).isEmpty())
        .forEach(map -> inputs.want(job, map.getTask()));
  }

  private void reserve(long growth) throws IOException {
    if (bytes.addAndGet(growth) > MOST_BYTES && growth > 0) {
      bytes.addAndGet(-growth);
      throw new IOException("more than is remembered of all jobs together");
    }
  }

  void forget(ApplicationAttemptId master) {
    Slot slot = known.remove(master);
    if (slot != null) {
      synchronized (slot) {
        slot.forgotten = true;
        bytes.addAndGet(-slot.job.bytes());
        jobs.remove(master);
        inputs.forget(master.getApplicationId().toString());
      }
    }
  }
}
