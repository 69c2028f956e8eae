package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.Link;
import io.orchestra.hadoop.testbed.network.Rate;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Breaks and mends the daemons and links of a cluster. */
public final class Faults {
  private static final int LONGEST_SECONDS = 300;

  private final Consumer<Consumer<Cluster>> alone;

  private Faults(Consumer<Consumer<Cluster>> alone) {
    this.alone = alone;
  }

  /**
   * Faults of a cluster that is found anew and locked for each of them.
   *
   * @param name the name of the cluster; it has to be up when something is done to it
   */
  public Faults(TestbedHome home, String name) {
    this(change -> changeAlone(home, name, change));
  }

  /** Faults of a cluster whose lock the caller holds. */
  static Faults of(Cluster locked) {
    return new Faults(change -> change.accept(locked));
  }

  /** Kills a daemon as a crash would. */
  public void kill(String host, Daemon daemon) {
    alone.accept(cluster -> cluster.daemons().kill(placed(cluster, host, daemon), daemon));
  }

  /**
   * Starts a daemon, after killing it if it runs, and returns once it serves: a NameNode may still
   * wait for blocks then, a DataNode is registered with a NameNode.
   */
  public void restart(String host, Daemon daemon) {
    alone.accept(cluster -> restart(cluster, placed(cluster, host, daemon), daemon));
  }

  /** The same, but that the daemon is stopped as Hadoop's scripts do it. */
  public void stopAndStart(String host, Daemon daemon) {
    alone.accept(
        cluster -> {
          Host placed = placed(cluster, host, daemon);
          if (cluster.daemons().find(placed, daemon).isPresent()) {
            cluster.daemons().stop(placed, daemon);
          }
          restart(cluster, placed, daemon);
        });
  }

  /** Makes a daemon stand still: it keeps its connections, and others can make new ones. */
  public void pause(String host, Daemon daemon) {
    alone.accept(cluster -> cluster.daemons().pause(placed(cluster, host, daemon), daemon));
  }

  public void resume(String host, Daemon daemon) {
    alone.accept(cluster -> cluster.daemons().resume(placed(cluster, host, daemon), daemon));
  }

  /** Stops all traffic on a link; daemons at its ends see a dead network, not a refusal. */
  public void cut(String link) {
    alone.accept(
        found -> {
          found.wiring().cut(link(found, link));
          found.stateFile().update(state -> state.withCut(link, true));
        });
  }

  public void heal(String link) {
    alone.accept(
        found -> {
          found.wiring().heal(link(found, link));
          found.stateFile().update(state -> state.withCut(link, false));
        });
  }

  /**
   * Changes the rate of a link in both directions; doing it again puts right what was stopped
   * half-way.
   */
  public void rate(String link, Rate rate) {
    alone.accept(
        found -> {
          found.wiring().changeRate(link(found, link), rate);
          found.stateFile().update(state -> state.withRate(link, rate));
        });
  }

  /** Makes the standby masters the active ones. */
  public void failover(Progress progress) {
    alone.accept(cluster -> new Failover(cluster, progress).toTheOtherMaster());
  }

  /** Makes the standby NameNode the active one, and leaves the ResourceManagers as they are. */
  public void failoverOfNameNode(Progress progress) {
    alone.accept(cluster -> new Failover(cluster, progress).nameNodeToTheOtherMaster());
  }

  private static void changeAlone(TestbedHome home, String name, Consumer<Cluster> change) {
    Cluster found = Cluster.find(home, name);
    try (ClusterLock ignored = ClusterLock.take(home, found.name())) {
      change.accept(Cluster.find(home, name));
    }
  }

  private static void restart(Cluster cluster, Host host, Daemon daemon) {
    HostDaemons daemons = cluster.daemons();
    if (daemons.find(host, daemon).isPresent()) {
      daemons.kill(host, daemon);
    }
    daemons.start(host, daemon);
    Health health = new Health(cluster);
    Waiting.until(
        () -> {
          daemons.requireAll(List.of(host), List.of(daemon));
          return health.serves(host, daemon);
        },
        "the " + daemon.daemonName() + " on " + host.name() + " to serve",
        LONGEST_SECONDS);
  }

  private static Link link(Cluster cluster, String name) {
    return cluster
        .plan()
        .link(name)
        .orElseThrow(
            () ->
                new TestbedException(
                    "there is no link '"
                        + name
                        + "': this cluster has "
                        + cluster.plan().links().stream()
                            .map(Link::name)
                            .collect(Collectors.joining(", "))));
  }

  private static Host placed(Cluster cluster, String name, Daemon daemon) {
    Host host = cluster.host(name);
    if (!cluster.spec().daemons(host).contains(daemon)) {
      throw new TestbedException(
          name
              + " has no "
              + daemon.daemonName()
              + ": it runs "
              + cluster.spec().daemons(host).stream()
                  .map(Daemon::daemonName)
                  .collect(Collectors.joining(", ")));
    }
    return host;
  }
}
