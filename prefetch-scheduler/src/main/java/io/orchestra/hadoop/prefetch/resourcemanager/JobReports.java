package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import com.google.common.collect.Comparators;
import io.orchestra.hadoop.core.daemon.UserBudget;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * Takes what application masters say of their jobs, and makes of it what the shadow needs. They are
 * user code: nothing they say concerns another job, or grows without limit. Safe for concurrent
 * use.
 */
public final class JobReports implements AgentProtocol {
  /** Bytes that all that was reported takes in memory, about. */
  static final long MOST_BYTES = Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 8);

  /** Of a job that nothing is foretold of yet. */
  private static final int MOST_UNFORETOLD = 20;

  private static final int MOST_USERS = 1000;

  /** Between two reports of a job whose maps are over. */
  private static final Duration OVER = Duration.ofSeconds(3);

  /** Reports in one interval that tell of containers at once. */
  private static final int PROMPT = 6;

  /**
   * What somebody last said of his job for so long may still be true. After that its maps would be
   * foretold to end, all at once, and others to follow.
   */
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(1);

  /** Application masters look for containers every 100 ms; some of their reports come faster. */
  private static final long LEAST_PAUSE = Duration.ofMillis(80).toNanos();

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

  /** Hears of maps that have got containers, and of their ends. */
  interface Assignments {
    /**
     * Called once for each.
     *
     * @param maps of one report; may be none
     */
    void assigned(ApplicationAttemptId master, List<Assigned> maps);

    /**
     * Maps have begun to read their input. Called once for each.
     *
     * @param attempts by their names; may be empty
     */
    void reading(ApplicationAttemptId master, Set<String> attempts);

    /**
     * Maps run no more, whether they have finished or not.
     *
     * @param attempts by their names; may be empty
     */
    void ended(ApplicationAttemptId master, Set<String> attempts);
  }

  /** Guarded by itself. */
  private static final class Slot {
    private final ReportedJob job;
    private final String user;
    private long reserved;
    private long inputs;
    private long heardAt;
    private boolean heard;

    private boolean viewed;

    /**
     * When it last gave the shadow a view of its job, or began; others read it without the lock.
     */
    private volatile long viewedAt;

    private boolean forgotten;

    private Slot(ApplicationAttemptId master, String user, RecentMaps recent, long now) {
      job = new ReportedJob(master, recent);
      this.user = user;
      viewedAt = now;
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
  private final UserBudget memory = new UserBudget(MOST_BYTES, MOST_BYTES / 2);

  /** Each user's own: what one user's application masters say concerns nobody else. */
  private final LoadingCache<String, RecentMaps> recent =
      CacheBuilder.newBuilder()
          .maximumSize(MOST_USERS)
          .build(CacheLoader.from(unused -> new RecentMaps()));

  /**
   * @param clock nanoseconds, the same as the scheduler's
   * @param interval from one report to the next, while there are maps
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
    Duration pause;
    try {
      pause = take(caller, report);
    } catch (IOException e) {
      throw new IOException("%s reports %s".formatted(caller, e.getMessage()), e);
    }
    if (!scheduler.isCurrent(caller)) {
      // It ended meanwhile, and whoever forgot it may have been faster.
      forget(caller);
    }
    return JobReportResponseProto.newBuilder()
        .setEpoch(epoch)
        .setMillisToNext(pause.toMillis())
        .setPrompt(prompt)
        .addAllWanted(inputs.takeWanted(caller.getApplicationId().toString()))
        .build();
  }

  /**
   * @return time until the next report
   */
  private Duration take(ApplicationAttemptId caller, JobReportProto report) throws IOException {
    Slot slot = known.computeIfAbsent(caller, this::slot);
    synchronized (slot) {
      long now = clock.getAsLong();
      if (slot.forgotten) {
        throw new IOException("after its end");
      }
      if (slot.heard && now - slot.heardAt < leastPause()) {
        throw new IOException("sooner than it was asked to");
      }
      slot.heard = true;
      slot.heardAt = now;
      // All that may be refused comes before anything is taken in.
      ReportLimits.verify(report);
      slot.job.verify(report);
      TaskInputs.verify(report.getInputsList());
      boolean haveInputsRoom = reserve(slot, report);
      slot.job.learn(report);
      if (haveInputsRoom) {
        inputs.learn(caller.getApplicationId().toString(), report.getInputsList());
      }
      if (prompt) {
        wantFirst(caller.getApplicationId().toString(), report.getWaitingList());
      }
      List<Assigned> assigned = slot.job.assigned(report, now, scheduler::isLive);
      jobs.put(
          caller,
          slot.job.view(report, now, scheduler.lastHeartbeat(caller), scheduler::isLive),
          () -> assignments.assigned(caller, assigned));
      if (!slot.viewed) {
        slot.viewed = true;
        jobs.heardOfAnother();
      }
      slot.viewedAt = now;
      assignments.reading(caller, slot.job.takeReading(report));
      assignments.ended(caller, slot.job.takeEnded(scheduler::isLive));
      return slot.job.isOver(report) ? Comparators.max(OVER, interval) : interval;
    }
  }

  private long leastPause() {
    return prompt ? Math.min(interval.toNanos() / PROMPT, LEAST_PAUSE) : interval.toNanos() / 2;
  }

  private Slot slot(ApplicationAttemptId master) {
    String user = scheduler.user(master);
    return new Slot(master, user, recent.getUnchecked(user), clock.getAsLong());
  }

  /** These may get their containers before anybody foretells it. */
  private void wantFirst(String job, List<WaitingMapProto> waiting) {
    waiting.stream()
        .limit(MOST_UNFORETOLD)
        .filter(map -> inputs.of(job, map.getTask()).isEmpty())
        .forEach(map -> inputs.want(job, map.getTask()));
  }

  /**
   * @return whether its inputs have room as well; without them it still tells of its maps
   */
  private boolean reserve(Slot slot, JobReportProto report) throws IOException {
    long facts = slot.job.size(report);
    long inputsThen = TaskInputs.size(slot.inputs, report.getInputsList());
    if (memory.take(slot.user, facts + inputsThen - slot.reserved)) {
      slot.reserved = facts + inputsThen;
      slot.inputs = inputsThen;
      return true;
    }
    if (memory.take(slot.user, facts + slot.inputs - slot.reserved)) {
      slot.reserved = facts + slot.inputs;
      return false;
    }
    throw new IOException("more than is remembered of all jobs, or of one user's");
  }

  /**
   * Forgets jobs that do not run any more, and what those last said that have fallen silent, whose
   * next report counts as any other. Scheduler threads do not: whoever takes a report may keep its
   * job locked for long.
   */
  void forgetEnded() {
    List.copyOf(known.keySet()).stream()
        .filter(master -> !scheduler.isCurrent(master))
        .forEach(this::forget);
    known.forEach(this::forgetViewOfSilent);
    Set<String> remaining =
        known.keySet().stream()
            .map(master -> master.getApplicationId().toString())
            .collect(Collectors.toSet());
    inputs.retain(remaining);
  }

  private void forgetViewOfSilent(ApplicationAttemptId master, Slot slot) {
    if (isSilent(slot)) {
      // Whoever reports now may keep his own locked for long.
      synchronized (slot) {
        if (!slot.forgotten && isSilent(slot)) {
          jobs.remove(master);
          assignments.ended(master, slot.job.takeEnded(scheduler::isLive));
        }
      }
    }
  }

  private boolean isSilent(Slot slot) {
    long longest = Comparators.max(LONGEST_SILENCE, interval.multipliedBy(3)).toNanos();
    return clock.getAsLong() - slot.viewedAt > longest;
  }

  void forget(ApplicationAttemptId master) {
    Slot slot = known.remove(master);
    if (slot != null) {
      synchronized (slot) {
        slot.forgotten = true;
        memory.giveBack(slot.user, slot.reserved);
        jobs.remove(master);
        assignments.ended(master, slot.job.takeEnded(container -> false));
      }
    }
  }
}
