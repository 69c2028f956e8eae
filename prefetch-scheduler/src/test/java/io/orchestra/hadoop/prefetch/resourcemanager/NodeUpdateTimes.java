package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.FlexFetchScheduler;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;

/**
 * How long Hadoop's Fair Scheduler and ours take for heartbeats of the nodes of a {@link
 * FullCluster} each, one after the other without a pause. They take turns in one process, since
 * processes differ from each other by more than the schedulers do, and our shadow runs only while
 * it is our turn. First nothing is to be had on any node; after that a map has ended before each
 * heartbeat, at which its place goes to another one. What happens between such heartbeats does not
 * count.
 *
 * <p>Says in a line of each kind, of the Fair Scheduler and then of ours, how many heartbeats there
 * were, how many nanoseconds they took in all and the longest; then how many predictions were made,
 * and how many have failed so far.
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

  /** A scheduler in its turns. */
  private static final class Times {
    private final FullCluster cluster;
    private final List<String> hosts;
    private int next;
    private long updates;
    private long nanos;
    private long longest;

    private Times(FullCluster cluster) {
      this.cluster = cluster;
      this.hosts = cluster.hosts();
    }

    /** Lets heartbeats come to nodes on which nothing is to be had. */
    private void beat() {
      long begun = System.nanoTime();
      long last = begun;
      while (last - begun < TURN) {
        cluster.real().heartbeat(nextHost(), List.of());
        long now = System.nanoTime();
        count(now - last);
        last = now;
      }
    }

    /** Lets heartbeats come at each of which a container is assigned. */
    private void beat(Turnover turnover) {
      long begun = System.nanoTime();
      while (System.nanoTime() - begun < TURN) {
        String host = nextHost();
        if (turnover.end(host)) {
          long start = System.nanoTime();
          cluster.real().heartbeat(host, List.of());
          long taken = System.nanoTime() - start;
          if (turnover.renew(host)) {
            count(taken);
          }
        }
      }
    }

    private String nextHost() {
      String host = hosts.get(next);
      next = (next + 1) % hosts.size();
      return host;
    }

    private void count(long taken) {
      updates++;
      nanos += taken;
      longest = Math.max(longest, taken);
    }

    @Override
    public String toString() {
      return "%d %d %d".formatted(updates, nanos, longest);
    }
  }

  private final FullCluster stock;
  private final FullCluster ours;
  private final Speculation shadow;

  private NodeUpdateTimes(FullCluster stock, FullCluster ours) {
    this.stock = stock;
    this.ours = ours;
    shadow = ((FlexFetchScheduler) ours.scheduler()).coordinator().orElseThrow().speculation();
  }

  /**
   * @param arguments seconds in which nothing is measured, and seconds after that, of each
   *     scheduler; then the same where containers are assigned; all are made whole turns, at least
   *     two
   */
  public static void main(String[] arguments) {
    int status = 0;
    try (FullCluster stock = cluster(FairScheduler.class);
        FullCluster ours = cluster(FlexFetchScheduler.class)) {
      NodeUpdateTimes times = new NodeUpdateTimes(stock, ours);
      times.measure(false, seconds(arguments[0]), seconds(arguments[1]));
      times.measure(true, seconds(arguments[2]), seconds(arguments[3]));
    } catch (InterruptedException | RuntimeException | Error e) {
      e.printStackTrace();
      status = 1;
    }
    // A ResourceManager that was never started leaves timers behind.
    System.exit(status);
  }

  private static long seconds(String argument) {
    return (long) (Double.parseDouble(argument) * 1e9);
  }

  private static FullCluster cluster(Class<? extends FairScheduler> type) {
    FullCluster cluster = new FullCluster(type, 1, JOBS, MAPS, NO_DELAY);
    cluster.scheduler().start();
    return cluster;
  }

  /**
   * @param assigns whether a container is assigned at each heartbeat
   * @param warmUp nanoseconds, as the other
   */
  private void measure(boolean assigns, long warmUp, long measured) throws InterruptedException {
    takeTurns(new Times(stock), new Times(ours), assigns, warmUp);
    long before = shadow.runs();
    Times stockTimes = new Times(stock);
    Times ourTimes = new Times(ours);
    takeTurns(stockTimes, ourTimes, assigns, measured);
    System.out.printf(
        "%s %s %d %d%n", stockTimes, ourTimes, shadow.runs() - before, shadow.failures());
  }

  /** Whoever was second is first the next time, so that neither has the better place. */
  private void takeTurns(Times stockTimes, Times ourTimes, boolean assigns, long nanos)
      throws InterruptedException {
    for (long taken = 0; taken < nanos; taken += 2 * TURN) {
      stockTurn(stockTimes, assigns);
      ours.views(System.nanoTime()).forEach(shadow.jobs()::put);
      ourTurn(ourTimes, assigns);
      ourTurn(ourTimes, assigns);
      ours.views(System.nanoTime()).keySet().forEach(shadow.jobs()::remove);
      TimeUnit.MILLISECONDS.sleep(SETTLING_MILLIS);
      stockTurn(stockTimes, assigns);
    }
  }

  private void stockTurn(Times times, boolean assigns) {
    if (assigns) {
      times.beat(new Turnover(stock, (job, view) -> {}));
    } else {
      times.beat();
    }
  }

  private void ourTurn(Times times, boolean assigns) {
    if (assigns) {
      times.beat(new Turnover(ours, shadow.jobs()::put));
    } else {
      times.beat();
    }
  }
}
