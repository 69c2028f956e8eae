package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.core.meter.RateMeter;
import io.orchestra.hadoop.core.meter.SysfsInterface;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How much this host sends. Used by one thread. */
final class UplinkMeter {
  private static final Logger LOG = LoggerFactory.getLogger(UplinkMeter.class);

  private final Optional<String> name;
  private Optional<RateMeter> meter = Optional.empty();
  private boolean failing;

  /**
   * @param name of the interface; empty for the one that leads to a NameNode
   */
  UplinkMeter(Optional<String> name) {
    this.name = name;
  }

  /**
   * @return bytes per second since the last call; empty the first time, and while the interface
   *     cannot be read
   */
  OptionalLong sample(Set<InetSocketAddress> namenodes) {
    try {
      if (meter.isEmpty()) {
        meter = Optional.of(open(namenodes));
      }
      failing = false;
      return meter
          .get()
          .sample()
          .map(rates -> OptionalLong.of(rates.transmitted()))
          .orElse(OptionalLong.empty());
    } catch (IOException | RuntimeException e) {
      if (!failing) {
        failing = true;
        LOG.info("The load of this host's link is unknown to swarms: {}", e.toString());
      }
      meter = Optional.empty();
      return OptionalLong.empty();
    }
  }

  private RateMeter open(Set<InetSocketAddress> namenodes) throws IOException {
    return new RateMeter(
        name.isPresent()
            ? SysfsInterface.named(name.get())
            : SysfsInterface.towards(namenodes.iterator().next()));
  }
}
