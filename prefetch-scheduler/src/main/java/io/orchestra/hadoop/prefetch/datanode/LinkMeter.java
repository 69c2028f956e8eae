package io.orchestra.hadoop.prefetch.datanode;

import io.orchestra.hadoop.core.meter.RateMeter;
import io.orchestra.hadoop.core.meter.RateMeter.Rates;
import io.orchestra.hadoop.core.meter.SysfsInterface;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link that leads to the ResourceManagers: how fast it is, and what passes it. Used by one
 * thread.
 */
final class LinkMeter {
  private static final Logger LOG = LoggerFactory.getLogger(LinkMeter.class);

  private final List<InetSocketAddress> coordinators;
  private RateMeter meter;
  private OptionalLong capacity = OptionalLong.empty();
  private Optional<Rates> last = Optional.empty();
  private boolean failing;

  LinkMeter(List<InetSocketAddress> coordinators) {
    this.coordinators = coordinators;
  }

  /** Since the last call; empty the first time, and while the interface cannot be read. */
  Optional<Rates> sample() {
    try {
      if (meter == null) {
        SysfsInterface link = SysfsInterface.towards(coordinators.get(0));
        capacity = link.linkCapacity();
        meter = new RateMeter(link);
      }
      Optional<Rates> sampled = meter.sample();
      last = sampled.isPresent() ? sampled : last;
      failing = false;
    } catch (IOException | RuntimeException e) {
      if (!failing) {
        failing = true;
        LOG.info("The load of this host's link is unknown to the coordinator: {}", e.toString());
      }
      meter = null;
      last = Optional.empty();
    }
    return last;
  }

  /** Bytes per second; empty where the interface does not say. */
  OptionalLong capacity() {
    return capacity;
  }
}
