package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.algorithm.shadow.SpeculativeRun.Pace;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

/**
 * Foretells heartbeats from the last ones. Hooks of the scheduler write, a prediction reads; safe
 * for concurrent use.
 */
final class HeartbeatTimes implements Paces {
  private static final long MILLI = 1_000_000;
  private static final long LEAST_PERIOD = Duration.ofMillis(100).toNanos();
  private static final long USUAL_PERIOD = Duration.ofSeconds(1).toNanos();
  private static final long MOST_PERIOD = Duration.ofSeconds(10).toNanos();
  private static final long LONGEST_SILENCE = Duration.ofSeconds(5).toNanos();
  private static final int MISSED_BEATS = 3;

  private record Beats(long last, long period) {}

  private final LongSupplier clock;
  private final long updatePeriod;
  private final long nodePeriod;
  private final Map<ApplicationAttemptId, Beats> masters = new ConcurrentHashMap<>();
  private volatile long lastUpdate;

  /**
   * @param clock nanoseconds, those of {@code System.nanoTime} outside tests
   * @param updateInterval of the scheduler, milliseconds
   * @param nodeInterval of NodeManagers' heartbeats, milliseconds
   */
  HeartbeatTimes(LongSupplier clock, long updateInterval, long nodeInterval) {
    this.clock = clock;
    updatePeriod = Math.max(LEAST_PERIOD, updateInterval * MILLI);
    nodePeriod = Math.max(LEAST_PERIOD, nodeInterval * MILLI);
    lastUpdate = clock.getAsLong();
  }

  void updated() {
    lastUpdate = clock.getAsLong();
  }

  /** An application master called. */
  void heardOf(ApplicationAttemptId master) {
    long now = clock.getAsLong();
    masters.compute(
        master,
        (id, before) ->
            new Beats(now, before == null ? USUAL_PERIOD : period(now - before.last())));
  }

  /** What is outside the usual tells nothing of the next time: a delay, or two calls in one. */
  private static long period(long since) {
    return since < LEAST_PERIOD || since > MOST_PERIOD ? USUAL_PERIOD : since;
  }

  /** Nanoseconds when an application master called last; the largest number if it never did. */
  long last(ApplicationAttemptId master) {
    Beats beats = masters.get(master);
    return beats == null ? Long.MAX_VALUE : beats.last();
  }

  void forget(ApplicationAttemptId master) {
    masters.remove(master);
  }

  /** Forgets all others: one that has ended may call once more. */
  void retain(Predicate<ApplicationAttemptId> isCurrent) {
    masters.keySet().removeIf(isCurrent.negate());
  }

  @Override
  public Pace updates() {
    return next(lastUpdate, updatePeriod);
  }

  @Override
  public Optional<Pace> node(SchedulerNode node) {
    return node(node.getRMNode().getState(), node.getLastHeartbeatMonotonicTime() * MILLI);
  }

  /** A silent node expires after ten minutes only; a decommissioning one shrinks as tasks end. */
  Optional<Pace> node(NodeState state, long last) {
    long silence = clock.getAsLong() - last;
    boolean silent = silence > Math.max(MISSED_BEATS * nodePeriod, LONGEST_SILENCE);
    return silent || state == NodeState.DECOMMISSIONING
        ? Optional.empty()
        : Optional.of(next(last, nodePeriod));
  }

  @Override
  public Pace master(ApplicationAttemptId attempt) {
    Beats beats = masters.get(attempt);
    return beats == null
        ? next(clock.getAsLong(), USUAL_PERIOD)
        : next(beats.last(), beats.period());
  }

  private Pace next(long last, long period) {
    long missed = Math.max(0, clock.getAsLong() - last) / period;
    return new Pace(last + (missed + 1) * period, period);
  }
}
