package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.FlexFetchScheduler;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;

/**
 * How long a scheduler takes for heartbeats of the nodes of a {@link FullCluster}, one after the
 * other without a pause. Says in one line how many there were, how many nanoseconds they took in
 * all and the longest, and how many predictions were made meanwhile, and have failed.
 */
public final class NodeUpdateTimes {
  /** As many maps as other layouts have, in the most jobs. */
  private static final int JOBS = 500;

  private static final int MAPS = 16;
  private static final double NO_DELAY = -1;

  private final FullCluster cluster;
  private long updates;
  private long longest;

  private NodeUpdateTimes(FullCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * @param arguments whether the scheduler is ours; seconds in which nothing is measured, and
   *     seconds after that
   */
  public static void main(String[] arguments) {
    int status = 0;
    try {
      measure(
          Boolean.parseBoolean(arguments[0]),
          Double.parseDouble(arguments[1]),
          Double.parseDouble(arguments[2]));
    } catch (RuntimeException | Error e) {
      e.printStackTrace();
      status = 1;
    }
    // A ResourceManager that was never started leaves timers behind.
    System.exit(status);
  }

  private static void measure(boolean ours, double warmUp, double seconds) {
    Class<? extends FairScheduler> type = ours ? FlexFetchScheduler.class : FairScheduler.class;
    try (FullCluster cluster = new FullCluster(type, 1, JOBS, MAPS, NO_DELAY)) {
      cluster.scheduler().start();
      Optional<Speculation> shadow = shadow(cluster);
      shadow.ifPresent(running -> cluster.views(System.nanoTime()).forEach(running.jobs()::put));
      long unused = new NodeUpdateTimes(cluster).beat(warmUp);
      long before = shadow.map(Speculation::runs).orElse(0L);
      NodeUpdateTimes times = new NodeUpdateTimes(cluster);
      long nanos = times.beat(seconds);
      System.out.printf(
          "%d %d %d %d %d%n",
          times.updates,
          nanos,
          times.longest,
          shadow.map(Speculation::runs).orElse(0L) - before,
          shadow.map(Speculation::failures).orElse(0L));
    }
  }

  private static Optional<Speculation> shadow(FullCluster cluster) {
    return cluster.scheduler() instanceof FlexFetchScheduler ours
        ? Optional.of(ours.coordinator().orElseThrow().speculation())
        : Optional.empty();
  }

  /** Nanoseconds that it took in all. */
  private long beat(double seconds) {
    List<String> hosts = cluster.hosts();
    long begun = System.nanoTime();
    long last = begun;
    while (last - begun < seconds * 1e9) {
      cluster.real().heartbeat(hosts.get((int) (updates++ % hosts.size())), List.of());
      long now = System.nanoTime();
      longest = Math.max(longest, now - last);
      last = now;
    }
    return last - begun;
  }
}
