package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.core.daemon.DutyCycle;
import io.orchestra.hadoop.core.daemon.GuardedTask;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Hindsight;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Hindsight.Launch;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Hindsight.Score;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Prediction;
import io.orchestra.hadoop.prefetch.resourcemanager.ReportedJob.Assigned;
import java.io.Closeable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Foretells launches again and again, on a thread of its own. The scheduler is held up only while
 * its state is copied. Safe for concurrent use.
 */
public final class Speculation implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Speculation.class);
  private static final long USEFUL_LEAD = TimeUnit.SECONDS.toNanos(2);
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * What came of the last prediction.
   *
   * @param predictions launches of tasks, in the order of time
   * @param takenAt nanoseconds of {@code System.nanoTime} when the scheduler was copied
   * @param copyNanos for which the scheduler's read lock was held
   * @param runNanos that the shadow took besides, before that and after it
   * @param jobs what the scheduler knew of jobs then, by the names of their applications
   */
  public record Foresight(
      List<Prediction> predictions,
      long takenAt,
      long copyNanos,
      long runNanos,
      Map<String, JobState> jobs) {
    private static Foresight none(long now, long copyNanos) {
      return new Foresight(List.of(), now, copyNanos, 0, Map.of());
    }
  }

  private static final long LEAST_BUDGET = TimeUnit.SECONDS.toNanos(2);

  /** For which the scheduler is held up at most, and asks are copied at most before that. */
  private static final Duration LONGEST_COPY = Duration.ofMillis(500);

  /** So much longer than the scheduler is held up are the pauses, on average. */
  private static final int REST = 50;

  private final FairScheduler scheduler;
  private final Lock readLock;
  private final PrefetchConfig config;
  private final BooleanSupplier allocates;
  private final UnaryOperator<List<Prediction>> believed;
  private final Duration longestCopy;
  private final HeartbeatTimes times;
  private final MasterCalls calls = new MasterCalls();
  private final Jobs jobs = new Jobs();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          new ThreadFactoryBuilder()
              .setNameFormat("orchestra-speculation")
              .setDaemon(true)
              .build());
  private final AtomicLong runs = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final AtomicLong copiesGivenUp = new AtomicLong();
  private final AtomicLong runsGivenUp = new AtomicLong();
  private final AtomicLong toldAt = new AtomicLong(System.nanoTime() - QUIET_NANOS);

  /** Guarded by itself. */
  private final Hindsight hindsight = new Hindsight(USEFUL_LEAD);

  private volatile Foresight foresight = Foresight.none(System.nanoTime(), 0);

  /** Nanoseconds for which the scheduler was held up last, in vain or not. */
  private volatile long lastCopy;

  /** Used by the thread. */
  private boolean declined;

  /** Used by the thread. */
  private final DutyCycle copying = new DutyCycle(REST);

  /** Used by the thread. */
  private final VainPredictions vain = new VainPredictions();

  private final GuardedTask prediction =
      new GuardedTask("Speculative scheduling", this::foretellAndCount);
  private final GuardedTask consequence;

  private Speculation(
      FairScheduler scheduler,
      Lock readLock,
      PrefetchConfig config,
      BooleanSupplier allocates,
      UnaryOperator<List<Prediction>> believed,
      Consumer<Foresight> listener,
      Duration longestCopy) {
    consequence = new GuardedTask("Prefetching", () -> tell(listener));
    this.scheduler = scheduler;
    this.readLock = readLock;
    this.config = config;
    this.allocates = allocates;
    this.believed = believed;
    this.longestCopy = longestCopy;
    times =
        new HeartbeatTimes(
            System::nanoTime,
            scheduler.getConf().getUpdateInterval(),
            scheduler
                .getConf()
                .getLong(
                    YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS,
                    YarnConfiguration.DEFAULT_RM_NM_HEARTBEAT_INTERVAL_MS));
  }

  /**
   * @param readLock of the scheduler
   * @param allocates whether the scheduler does so already: after a restart it waits for its nodes
   * @param believed what counts as foretold in the place of what the shadow has foretold
   * @param listener hears of each prediction, on the thread that makes them
   */
  public static Speculation start(
      FairScheduler scheduler,
      Lock readLock,
      PrefetchConfig config,
      BooleanSupplier allocates,
      UnaryOperator<List<Prediction>> believed,
      Consumer<Foresight> listener) {
    return start(scheduler, readLock, config, allocates, believed, listener, LONGEST_COPY);
  }

  /**
   * @param longestCopy for which the scheduler is held up at most
   */
  @VisibleForTesting
  static Speculation start(
      FairScheduler scheduler,
      Lock readLock,
      PrefetchConfig config,
      BooleanSupplier allocates,
      UnaryOperator<List<Prediction>> believed,
      Consumer<Foresight> listener,
      Duration longestCopy) {
    Speculation speculation =
        new Speculation(scheduler, readLock, config, allocates, believed, listener, longestCopy);
    speculation.foretellAfter(config.interval().toNanos());
    return speculation;
  }

  /** Refused after the end, which nobody needs to hear of. */
  private void foretellAfter(long nanos) {
    ScheduledFuture<?> unused =
        thread.schedule(
            () -> {
              prediction.run();
              consequence.run();
              foretellAfter(Math.max(config.interval().toNanos(), copying.pauseAfter(lastCopy)));
            },
            nanos,
            TimeUnit.NANOSECONDS);
  }

  private void foretellAndCount() {
    try {
      foretell();
    } catch (ForeignPolicyException e) {
      decline(e);
    } catch (TooLargeException e) {
      copiesGivenUp.incrementAndGet();
      if (giveUp(e)) {
        LOG.warn(
            "Nothing is foretold: the last {} predictions were given up, this one as the scheduler"
                + " could not be copied within {} ms. That is tried ever more seldom, at last every"
                + " half hour, until it succeeds. If the ResourceManager lacks processors or"
                + " memory, give it more; if its nodes, applications and asks are too many, set"
                + " {}enabled to false",
            VainPredictions.REMARKABLE,
            longestCopy.toMillis(),
            PrefetchConfig.PREFIX);
      }
    } catch (CancellationException e) {
      if (thread.isShutdown()) {
        return;
      }
      runsGivenUp.incrementAndGet();
      if (giveUp(e)) {
        LOG.warn(
            "Nothing is foretold: the last {} predictions were given up, this one as it took more"
                + " than {} ms of processor time. That is tried ever more seldom, at last every"
                + " half hour, until it succeeds. Set {}horizon to less, or {}enabled to false",
            VainPredictions.REMARKABLE,
            TimeUnit.NANOSECONDS.toMillis(budget()),
            PrefetchConfig.PREFIX,
            PrefetchConfig.PREFIX);
      }
    } catch (Throwable e) {
      if (thread.isShutdown()) {
        // The end interrupts it.
        return;
      }
      failures.incrementAndGet();
      foretellNothing();
      throw e;
    }
  }

  private void tell(Consumer<Foresight> listener) {
    try {
      listener.accept(foresight);
    } catch (Throwable e) {
      failures.incrementAndGet();
      throw e;
    }
  }

  /** What was foretold before is not true any more. */
  private void foretellNothing() {
    long now = System.nanoTime();
    foresight = Foresight.none(now, lastCopy);
    synchronized (hindsight) {
      hindsight.foretold(List.of(), now, now);
    }
  }

  /** What was foretold last may still be right, until it lies in the past. */
  private void foretellNothingNew() {
    if (System.nanoTime() - foresight.takenAt() > config.horizon().toNanos()) {
      foretellNothing();
    }
  }

  /**
   * It took too long: a limit, and no failure.
   *
   * @return whether somebody should hear of it, which is once until a prediction is whole
   */
  private boolean giveUp(CancellationException reason) {
    foretellNothingNew();
    LOG.debug("A prediction was given up", reason);
    return vain.another(System.nanoTime());
  }

  /** Told once, until the scheduler could be copied again. */
  private void decline(ForeignPolicyException policy) {
    foretellNothing();
    if (!declined) {
      declined = true;
      LOG.warn(
          "Nothing is foretold: the shadow does not know the scheduling policy {}. Give all queues"
              + " one of Hadoop's own, which are fair, drf and fifo",
          policy.getMessage());
    }
  }

  /** Once, and now. */
  @VisibleForTesting
  void foretell() {
    times.retain(this::isCurrent);
    calls.retain(this::isCurrent);
    lastCopy = 0;
    if (jobs.isEmpty() || !allocates.getAsBoolean()) {
      foretellNothing();
      return;
    }
    if (vain.rest(System.nanoTime())) {
      foretellNothingNew();
      return;
    }
    long begun = System.nanoTime();
    AsksAhead asks = asksAhead();
    long ahead = System.nanoTime() - begun;
    FairSnapshot snapshot;
    readLock.lock();
    long locked = System.nanoTime();
    try {
      snapshot =
          FairSnapshot.take(
              scheduler,
              jobs::view,
              asks,
              times,
              () -> System.nanoTime() - locked > longestCopy.toNanos());
    } finally {
      lastCopy = System.nanoTime() - locked;
      readLock.unlock();
    }
    declined = false;
    long copied = locked + lastCopy;
    RunBudget budget = RunBudget.of(budget());
    List<Prediction> predictions =
        believed.apply(
            snapshot
                .run(config.launchDelay().toNanos(), budget)
                .until(locked + config.horizon().toNanos(), budget));
    long end = System.nanoTime();
    jobs.awaitLaunches();
    synchronized (hindsight) {
      hindsight.foretold(predictions, locked, System.nanoTime());
    }
    runs.incrementAndGet();
    vain.end();
    foresight =
        new Foresight(
            predictions, locked, copied - locked, ahead + end - copied, snapshot.states());
  }

  /** What is copied before the scheduler is held up, for no more of the processor's time. */
  @VisibleForTesting
  AsksAhead asksAhead() {
    return AsksAhead.of(
        scheduler,
        calls::count,
        master -> jobs.view(master).isPresent(),
        RunBudget.of(longestCopy.toNanos()));
  }

  private long budget() {
    return Math.max(LEAST_BUDGET, 2 * config.interval().toNanos());
  }

  /** Whether this is an application's attempt that the scheduler serves now. */
  boolean isCurrent(ApplicationAttemptId master) {
    FSAppAttempt current = scheduler.getSchedulerApp(master);
    return current != null
        && !current.isStopped()
        && current.getApplicationAttemptId().equals(master);
  }

  /**
   * A map has got a container: was it foretold?
   *
   * @param local whether its host has its input
   * @return as what it counts
   */
  Launch assigned(String job, Assigned map, String host, boolean local) {
    synchronized (hindsight) {
      return hindsight.launched(
          job,
          map.attempt(),
          host,
          local,
          map.waitingSince(),
          map.nanos() + config.launchDelay().toNanos(),
          System.nanoTime());
    }
  }

  /** How good predictions were so far. */
  public Score score() {
    synchronized (hindsight) {
      return hindsight.score();
    }
  }

  /** See {@link Hindsight#launches}. */
  List<Launch> launches() {
    synchronized (hindsight) {
      return hindsight.launches();
    }
  }

  /** See {@link Hindsight#meanTimeError}. */
  public double meanTimeError() {
    synchronized (hindsight) {
      return hindsight.meanTimeError();
    }
  }

  /** See {@link Hindsight#meanAbsoluteTimeError}. */
  public double meanAbsoluteTimeError() {
    synchronized (hindsight) {
      return hindsight.meanAbsoluteTimeError();
    }
  }

  /** Where those who know of jobs put it. */
  public Jobs jobs() {
    return jobs;
  }

  /** What was foretold last. */
  public Foresight foresight() {
    return foresight;
  }

  /** How often the shadow has run. */
  public long runs() {
    return runs.get();
  }

  /** How often it, what follows from it, or a hook, has failed. */
  public long failures() {
    return failures.get();
  }

  /** How often a copy of the scheduler took too long, and was given up. */
  public long copiesGivenUp() {
    return copiesGivenUp.get();
  }

  /** How often the shadow itself took too long after that, and was given up. */
  public long runsGivenUp() {
    return runsGivenUp.get();
  }

  /** The scheduler has recomputed demands and shares. */
  public void updated() {
    times.updated();
  }

  /** A call of an application master begins or has ended, in which its asks may change. */
  public void beginsOrEndsCall(ApplicationAttemptId master) {
    calls.beginsOrEnds(master);
  }

  /** An application master has called. */
  public void heardOf(ApplicationAttemptId master) {
    times.heardOf(master);
  }

  /** See {@link HeartbeatTimes#last}. */
  long lastHeartbeat(ApplicationAttemptId master) {
    return times.last(master);
  }

  /** An application has ended, or will be tried again. */
  public void forget(ApplicationAttemptId master) {
    times.forget(master);
    calls.forget(master);
    jobs.remove(master);
  }

  /** Runs a hook in a thread of the scheduler, into which it never throws. */
  public void guarded(Runnable hook) {
    try {
      hook.run();
    } catch (Throwable e) {
      failures.incrementAndGet();
      tellMissed(e);
    }
  }

  private void tellMissed(Throwable why) {
    long last = toldAt.get();
    long now = System.nanoTime();
    if (now - last >= QUIET_NANOS && toldAt.compareAndSet(last, now)) {
      try {
        LOG.warn("The shadow may have missed something; not told again for a minute", why);
      } catch (Throwable e) {
        // Without memory even the log may fail.
      }
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(1, TimeUnit.SECONDS)) {
        LOG.warn("The shadow still runs; it ends with this prediction");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
