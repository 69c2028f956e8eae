package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.core.topology.NetworkTree;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import io.orchestra.hadoop.prefetch.resourcemanager.Daemons.Daemon;
import io.orchestra.hadoop.prefetch.resourcemanager.Daemons.Load;

/** The network between the hosts of daemons. */
final class HostNetwork {
  /** Of a link whose interface does not say: a gigabit. */
  private static final long USUAL_CAPACITY = 125_000_000;

  private HostNetwork() {}

  static NetworkTree of(Daemons daemons, PrefetchConfig.Fetching config) {
    NetworkTree.Builder network = NetworkTree.builder();
    for (Daemon daemon : daemons.all()) {
      network.host(daemon.host(), daemon.rack(), capacity(daemons.load(daemon.host()), config));
      config.rackCapacity().ifPresent(rate -> network.switchCapacity(daemon.rack(), rate));
    }
    return network.build();
  }

  /** Of a host's link, bytes per second: what the settings say, or what its daemon does. */
  static long capacity(Load load, PrefetchConfig.Fetching config) {
    return config.linkCapacity().orElse(load.capacity().orElse(USUAL_CAPACITY));
  }
}
