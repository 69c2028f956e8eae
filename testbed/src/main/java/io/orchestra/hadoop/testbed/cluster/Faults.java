package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.Link;
import io.orchestra.hadoop.testbed.network.Rate;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Breaks and mends the daemons and links of a cluster. */
public final class Faults {
  private static final int LONGEST_SECONDS = 60;

  private final TestbedHome home;
  private final String name;

  /**
   * @param name the name of the cluster; it has to be up when something is done to it
   */
  public Faults(TestbedHome home, String name) {
    this.home = home;
    this.name = name;
  }

  /** Kills a daemon as a crash would. */
  public void kill(String host, Daemon daemon) {
    alone(cluster -> cluster.daemons().kill(placed(cluster, host, daemon), daemon));
  }

  /** Starts a daemon, after killing it if it runs, and returns once it answers HTTP. */
  public void restart(String host, Daemon daemon) {
    alone(cluster -> restart(cluster, placed(cluster, host, daemon), daemon));
  }

  /** Stops all traffic on a link; daemons at its ends see a dead network, not a refusal. */
  public void cut(String link) {
    alone(
        cluster -> {
          cluster.wiring().cut(link(cluster, link));
          remember(cluster, cluster.state().withCut(link, true));
        });
  }

  public void heal(String link) {
    alone(
        cluster -> {
          cluster.wiring().heal(link(cluster, link));
          remember(cluster, cluster.state().withCut(link, false));
        });
  }

  /** Changes the rate of a link in both directions. */
  public void rate(String link, Rate rate) {
    alone(
        cluster -> {
          Rate before = cluster.state().rate(link(cluster, link).name());
          cluster.wiring().changeRate(link(cluster, link), before, rate);
          remember(cluster, cluster.state().withRate(link, rate));
        });
  }

  /** Makes the standby masters the active ones. */
  public void failover(Progress progress) {
    alone(cluster -> new Failover(cluster, progress).toTheOtherMaster());
  }

  private void alone(Consumer<Cluster> change) {
    Cluster found = Cluster.find(home, name);
    try (ClusterLock ignored = ClusterLock.take(home, found.spec().name())) {
      change.accept(Cluster.find(home, name));
    }
  }

  private static void restart(Cluster cluster, Host host, Daemon daemon) {
    HostDaemons daemons = cluster.daemons();
    if (daemons.find(host, daemon).isPresent()) {
      daemons.kill(host, daemon);
    }
    daemons.start(host, daemon);
    WebClient web = new WebClient(cluster.shell(host));
    Waiting.until(
        () -> {
          daemons.requireAll(List.of(host), List.of(daemon));
          return web.answers("http://" + host.name() + ":" + daemon.webPort() + "/jmx");
        },
        "the " + daemon.daemonName() + " on " + host.name() + " to answer",
        LONGEST_SECONDS);
  }

  private static void remember(Cluster cluster, ClusterState state) {
    new StateFile(cluster.directory().state()).write(state);
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
