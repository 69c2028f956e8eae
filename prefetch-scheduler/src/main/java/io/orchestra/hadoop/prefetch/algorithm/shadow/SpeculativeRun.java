package io.orchestra.hadoop.prefetch.algorithm.shadow;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.prefetch.algorithm.shadow.TaskMatcher.Match;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Runs a {@link ShadowScheduler} ahead (FlexFetch, section III-A): pseudo heartbeats of nodes and
 * application masters come at the pace of the real ones, and tasks end when they are foretold to.
 * For one run; not safe for concurrent use.
 */
public final class SpeculativeRun {

  /**
   * Something that happens again and again.
   *
   * @param first nanoseconds when it happens next
   * @param period nanoseconds from one time to the next
   */
  public record Pace(long first, long period) {
    public Pace {
      checkArgument(period > 0, "a period of %s ns", period);
    }
  }

  private record Event(long nanos, int order, long period, Action action) {}

  @FunctionalInterface
  private interface Action {
    void at(long nanos);
  }

  private final ShadowScheduler scheduler;
  private final long launchDelay;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingInt(Event::order));
  private final List<Prediction> predictions = new ArrayList<>();
  private int order;

  /**
   * @param launchDelay nanoseconds from a task's match to its launch
   */
  public SpeculativeRun(ShadowScheduler scheduler, long launchDelay) {
    this.scheduler = scheduler;
    this.launchDelay = launchDelay;
  }

  /** Demands and shares are recomputed at this pace. What is added first goes first at a tie. */
  public SpeculativeRun updates(Pace pace) {
    return add(pace, nanos -> scheduler.update());
  }

  public SpeculativeRun master(ShadowMaster master, Pace pace) {
    launch(master, master.early(), pace.first() - pace.period());
    return add(pace, nanos -> heartbeat(master, nanos));
  }

  public SpeculativeRun node(ShadowNode node, Pace pace) {
    return add(pace, nanos -> scheduler.heartbeat(node, nanos));
  }

  private SpeculativeRun add(Pace pace, Action action) {
    events.add(new Event(pace.first(), order++, pace.period(), action));
    return this;
  }

  /**
   * @param horizon nanoseconds of the shadow's clock; nothing at or after it is foretold
   * @return launches in the order of time
   */
  public List<Prediction> until(long horizon) {
    return until(horizon, () -> false);
  }

  /**
   * @param isTooLong asked again and again whether the run has taken too long
   * @throws CancellationException if it has, or the thread was interrupted
   */
  public List<Prediction> until(long horizon, BooleanSupplier isTooLong) {
    while (!events.isEmpty() && events.peek().nanos() < horizon) {
      if (isTooLong.getAsBoolean() || Thread.currentThread().isInterrupted()) {
        throw new CancellationException("after %d launches".formatted(predictions.size()));
      }
      Event event = events.remove();
      event.action().at(event.nanos());
      events.add(
          new Event(event.nanos() + event.period(), event.order(), event.period(), event.action()));
    }
    return ImmutableList.copyOf(predictions);
  }

  private void heartbeat(ShadowMaster master, long nanos) {
    launch(master, master.heartbeat(scheduler.cluster()), nanos);
  }

  private void launch(ShadowMaster master, List<Match> matches, long nanos) {
    for (Match match : matches) {
      long launch = nanos + launchDelay;
      long duration = match.task().nanos(match.locality());
      match
          .container()
          .endAt(duration == ShadowContainer.NEVER ? ShadowContainer.NEVER : launch + duration);
      predictions.add(
          new Prediction(
              match.container().node().host(),
              launch,
              master.app().name(),
              match.task().id(),
              match.locality()));
    }
  }
}
