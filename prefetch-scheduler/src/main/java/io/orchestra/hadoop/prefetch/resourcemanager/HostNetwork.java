package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.core.topology.NetworkTree;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import io.orchestra.hadoop.prefetch.resourcemanager.Daemons.Daemon;
import java.util.OptionalLong;

/** The network between the hosts of daemons. */
final class HostNetwork {
  /** Of a link whose interface does not say: a gigabit. */
  private static final long USUAL_CAPACITY = 125_000_000;

  private HostNetwork() {}

  static NetworkTree of(Daemons daemons, PrefetchConfig.Fetching config) {
    NetworkTree.Builder network = NetworkTree.builder();
    for (Daemon daemon : daemons.all()) {
      OptionalLong reported = daemons.load(daemon.host()).capacity();
      network.host(
          daemon.host(),
          daemon.rack(),
          config.linkCapacity().orElse(reported.orElse(USUAL_CAPACITY)));
      config.rackCapacity().ifPresent(rate -> network.switchCapacity(daemon.rack(), rate));
    }
    return network.build();
  }
}
