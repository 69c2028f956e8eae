package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.FlexFetchScheduler;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;

/**
 * How long Hadoop's Fair Scheduler and ours take for heartbeats of the nodes of a {@link
 * FullCluster} each, one after the other without a pause. They take turns in one process, since
 * processes differ from each other by more than the schedulers do, and our shadow runs only while
 * it is our turn.
 *
 * <p>Says in one line, of the Fair Scheduler and then of ours, how many heartbeats there were, how
 * many nanoseconds they took in all and the longest; then how many predictions were made, and have
 * failed.
 */
public final class NodeUpdateTimes {
  /** As many maps as other layouts have, in the most jobs. */
  private static final int JOBS = 500;

  private static final int MAPS = 16;
  private static final double NO_DELAY = -1;

  /** Long enough for some predictions. */
  private static final long TURN = TimeUnit.SECONDS.toNanos(5);

  /** After which a prediction that was begun in our turn is over. */
  private static final long SETTLING_MILLIS = 300;

  private final FullCluster cluster;
  private final List<String> hosts;
  private int next;
  private long updates;
  private long nanos;
  private long longest;

  private NodeUpdateTimes(FullCluster cluster) {
    this.cluster = cluster;
    this.hosts = cluster.hosts();
  }

  /**
   * @param arguments seconds in which nothing is measured, and seconds after that, of each
   *     scheduler; both are made whole turns, at least two
   */
  public static void main(String[] arguments) {
    int status = 0;
    try {
      measure(Double.parseDouble(arguments[0]), Double.parseDouble(arguments[1]));
    } catch (InterruptedException | RuntimeException | Error e) {
      e.printStackTrace();
      status = 1;
    }
    // A ResourceManager that was never started leaves timers behind.
    System.exit(status);
  }

  private static void measure(double warmUp, double seconds) throws InterruptedException {
    try (FullCluster stock = cluster(FairScheduler.class);
        FullCluster ours = cluster(FlexFetchScheduler.class)) {
      Speculation shadow =
          ((FlexFetchScheduler) ours.scheduler()).coordinator().orElseThrow().speculation();
      takeTurns(new NodeUpdateTimes(stock), new NodeUpdateTimes(ours), shadow, warmUp);
      long before = shadow.runs();
      NodeUpdateTimes stockTimes = new NodeUpdateTimes(stock);
      NodeUpdateTimes ourTimes = new NodeUpdateTimes(ours);
      takeTurns(stockTimes, ourTimes, shadow, seconds);
      System.out.printf(
          "%s %s %d %d%n", stockTimes, ourTimes, shadow.runs() - before, shadow.failures());
    }
  }

  private static FullCluster cluster(Class<? extends FairScheduler> type) {
    FullCluster cluster = new FullCluster(type, 1, JOBS, MAPS, NO_DELAY);
    cluster.scheduler().start();
    return cluster;
  }

  /** Whoever was second is first the next time, so that neither has the better place. */
  private static void takeTurns(
      NodeUpdateTimes stock, NodeUpdateTimes ours, Speculation shadow, double seconds)
      throws InterruptedException {
    long limit = (long) (seconds * 1e9);
    while (stock.nanos < limit) {
      stock.beat();
      ours.cluster.views(System.nanoTime()).forEach(shadow.jobs()::put);
      ours.beat();
      ours.beat();
      ours.cluster.views(System.nanoTime()).keySet().forEach(shadow.jobs()::remove);
      TimeUnit.MILLISECONDS.sleep(SETTLING_MILLIS);
      stock.beat();
    }
  }

  private void beat() {
    long begun = System.nanoTime();
    long last = begun;
    while (last - begun < TURN) {
      cluster.real().heartbeat(hosts.get(next), List.of());
      next = (next + 1) % hosts.size();
      updates++;
      long now = System.nanoTime();
      longest = Math.max(longest, now - last);
      last = now;
    }
    nanos += last - begun;
  }

  @Override
  public String toString() {
    return "%d %d %d".formatted(updates, nanos, longest);
  }
}
