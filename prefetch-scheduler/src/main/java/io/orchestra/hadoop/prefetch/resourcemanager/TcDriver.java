package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.core.topology.Direction;
import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchFlow;
import io.orchestra.hadoop.prefetch.algorithm.flow.RateDriver;
import io.orchestra.hadoop.prefetch.resourcemanager.Daemons.Daemon;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.ShapeProto;
import io.orchestra.hadoop.prefetch.traffic.Shape;
import io.orchestra.hadoop.prefetch.traffic.Shaper;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.ToLongFunction;

/**
 * Rates by the kernel's HTB classes: on a host's own device, of which its daemon's helper takes
 * care, and on those of switches that are Linux machines, through a helper of the ResourceManager's
 * host. What a daemon cannot be told now it is told later. Devices know a flow by its target's
 * address and port. One for which a device has no class left is paced by its target only. Used
 * under the lock of its owner.
 */
final class TcDriver implements RateDriver {
  private static final int PORTS = 512;

  private static final class Shaped {
    final String address;
    final int port;

    /** In the order in which the flow passes them. */
    final Map<Link, Integer> slots = new LinkedHashMap<>();

    long rate;

    Shaped(String address, int port) {
      this.address = address;
      this.port = port;
    }
  }

  private final Daemons daemons;
  private final int firstPort;
  private final Optional<Shaper> switches;
  private final Map<PrefetchFlow, Shaped> flows = new HashMap<>();
  private final List<Shaped> ending = new ArrayList<>();
  private final Map<String, BitSet> slots = new HashMap<>();

  /** Hosts whose devices may have rates of flows that are no more. */
  private final Set<String> lost = new HashSet<>();

  private int lastPort;

  /**
   * @param firstPort of those that targets use for flows
   * @param switches whose ports are named after links, such as {@code /rack1:down}
   */
  TcDriver(Daemons daemons, int firstPort, Optional<Shaper> switches) {
    this.daemons = daemons;
    this.firstPort = firstPort;
    this.switches = switches;
  }

  @Override
  public boolean guarantees() {
    return true;
  }

  @Override
  public boolean guarantees(Link link) {
    return isHosts(link)
        ? daemons.isShaped(link.node()) && Shape.isPort(name(link))
        : switches.isPresent() && switches.get().shapes(name(link));
  }

  @Override
  public void lost(String host) {
    lost.add(host);
  }

  @Override
  public OptionalInt begin(PrefetchFlow flow, List<Link> path) {
    Optional<Daemon> target = daemons.at(flow.target());
    if (target.isEmpty() || !isIpv4(target.get().address())) {
      return OptionalInt.empty();
    }
    // One that was used lately may still be in use.
    lastPort = (lastPort + 1) % PORTS;
    Shaped shaped = new Shaped(target.get().address(), firstPort + lastPort);
    for (Link link : path) {
      BitSet taken = slots.computeIfAbsent(name(link), unused -> new BitSet());
      int slot = taken.nextClearBit(1);
      if (slot <= Shape.SLOTS && isShaped(link)) {
        taken.set(slot);
        shaped.slots.put(link, slot);
      }
    }
    flows.put(flow, shaped);
    return OptionalInt.of(shaped.port);
  }

  /** Devices are told of no others. */
  private static boolean isIpv4(String address) {
    return !address.contains(":");
  }

  /** A host's link down is a port of its switch. Some names of racks are none of ports. */
  private boolean isShaped(Link link) {
    return Shape.isPort(name(link))
        && (isHosts(link) ? daemons.at(link.node()).isPresent() : switches.isPresent());
  }

  /** Switches are named by their locations. */
  private static boolean isHosts(Link link) {
    return link.direction() == Direction.UP && !link.node().startsWith("/");
  }

  /** What a switch's port is called. */
  static String name(Link link) {
    return link.node() + ":" + link.direction().name().toLowerCase(Locale.ROOT);
  }

  /**
   * Devices count headers, too. The rate stays the one before if the source, which is the first,
   * cannot be told.
   */
  private void shape(Shaped shaped, long rate) {
    long bits = Wire.bits(rate);
    boolean isTold =
        shaped.slots.entrySet().stream()
            .allMatch(
                slot ->
                    tell(
                        slot.getKey(),
                        new Shape(
                            name(slot.getKey()),
                            slot.getValue(),
                            bits,
                            shaped.address,
                            shaped.port)));
    if (isTold) {
      shaped.rate = rate;
    }
  }

  private boolean tell(Link link, Shape shape) {
    if (isHosts(link)) {
      return command(link.node(), shape);
    }
    switches.ifPresent(shaper -> shaper.apply(shape));
    return true;
  }

  /**
   * @return false if the daemon has too much to do. One that is gone begins anew when it is back.
   */
  private boolean command(String host, Shape shape) {
    Optional<Daemon> source = daemons.at(host);
    if (source.isEmpty()) {
      return true;
    }
    if (lost.contains(host)) {
      if (!daemons.send(source.get().uuid(), CommandProto.newBuilder().setForgetShapes(true))) {
        return false;
      }
      lost.remove(host);
    }
    return daemons.send(
        source.get().uuid(),
        CommandProto.newBuilder()
            .setShape(
                ShapeProto.newBuilder()
                    .setSlot(shape.slot())
                    .setBitsPerSecond(shape.bitsPerSecond())
                    .setAddress(shape.address())
                    .setPort(shape.tcpPort())));
  }

  @Override
  public void follow(Collection<PrefetchFlow> remaining, ToLongFunction<PrefetchFlow> rate) {
    for (PrefetchFlow flow : List.copyOf(flows.keySet())) {
      if (!remaining.contains(flow)) {
        ending.add(flows.remove(flow));
      }
    }
    ending.removeIf(this::isEnded);
    // A link must have a rate left before it can promise it to another flow.
    reshape((before, now) -> now < before, rate);
    reshape((before, now) -> now > before, rate);
  }

  /** Its slots are taken until its source has been told. */
  private boolean isEnded(Shaped shaped) {
    if (shaped.rate > 0) {
      shape(shaped, 0);
    }
    if (shaped.rate > 0) {
      return false;
    }
    shaped.slots.forEach((link, slot) -> slots.get(name(link)).clear(slot));
    return true;
  }

  /**
   * @param which by the rate that a flow has and the one that it is to have
   */
  private void reshape(BiPredicate<Long, Long> which, ToLongFunction<PrefetchFlow> rate) {
    flows.forEach(
        (flow, shaped) -> {
          long wanted = rate.applyAsLong(flow);
          if (which.test(shaped.rate, wanted)) {
            shape(shaped, wanted);
          }
        });
  }
}
