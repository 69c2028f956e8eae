package io.orchestra.hadoop.prefetch.datanode;

import io.orchestra.hadoop.core.meter.RateMeter;
import io.orchestra.hadoop.core.meter.RateMeter.Rates;
import io.orchestra.hadoop.core.meter.SysfsInterface;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link that leads to the ResourceManagers: how fast it is, and what passes it. Used by one
 * thread.
 */
final class LinkMeter {
  private static final Logger LOG = LoggerFactory.getLogger(LinkMeter.class);

  /** Looking up a name that nobody knows may take seconds. */
  private static final Duration RESOLVE_AGAIN = Duration.ofSeconds(30);

  /** In less time a burst looks like a full link: a coordinator believes nothing below 200 ms. */
  private static final long LEAST_TIME = Duration.ofMillis(250).toNanos();

  /** Finds the interface that leads to a host. */
  @FunctionalInterface
  interface Route {
    SysfsInterface towards(InetSocketAddress host) throws IOException;
  }

  private final UnaryOperator<InetSocketAddress> resolver;
  private final Route route;
  private final LongSupplier clock;
  private InetSocketAddress coordinator;
  private long resolvedAt;
  private RateMeter meter;
  private long sampledAt;
  private OptionalLong capacity = OptionalLong.empty();
  private boolean failing;

  /**
   * @param coordinator any of the ResourceManagers
   */
  LinkMeter(InetSocketAddress coordinator) {
    this(
        coordinator,
        address -> new InetSocketAddress(address.getHostString(), address.getPort()),
        SysfsInterface::towards,
        System::nanoTime);
  }

  /**
   * @param resolver looks up its name again
   * @param clock nanoseconds
   */
  LinkMeter(
      InetSocketAddress coordinator,
      UnaryOperator<InetSocketAddress> resolver,
      Route route,
      LongSupplier clock) {
    this.coordinator = coordinator;
    this.resolver = resolver;
    this.route = route;
    this.clock = clock;
    resolvedAt = clock.getAsLong();
  }

  /**
   * What has passed since the last sample; empty the first time, while that was only a moment ago,
   * and while the interface cannot be read.
   */
  Optional<Rates> sample() {
    if (meter != null && clock.getAsLong() - sampledAt < LEAST_TIME) {
      return Optional.empty();
    }
    try {
      if (meter == null) {
        SysfsInterface link = route.towards(resolved());
        capacity = link.linkCapacity();
        meter = new RateMeter(link);
      }
      Optional<Rates> sampled = meter.sample();
      // Not before it was read: that may take a while, and the next one would be of less time.
      sampledAt = clock.getAsLong();
      failing = false;
      return sampled;
    } catch (IOException | RuntimeException e) {
      if (!failing) {
        failing = true;
        LOG.info("The load of this host's link is unknown to the coordinator: {}", e.toString());
      }
      meter = null;
      return Optional.empty();
    }
  }

  private InetSocketAddress resolved() {
    if (coordinator.isUnresolved() && clock.getAsLong() - resolvedAt > RESOLVE_AGAIN.toNanos()) {
      coordinator = resolver.apply(coordinator);
      resolvedAt = clock.getAsLong();
    }
    return coordinator;
  }

  /** Bytes per second; empty where the interface does not say. */
  OptionalLong capacity() {
    return capacity;
  }
}
