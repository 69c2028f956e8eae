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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rates by the kernel's HTB classes: on a host's own device, of which its daemon's helper takes
 * care, and on those of switches that are Linux machines, through a helper of the ResourceManager's
 * host. What a daemon cannot be told now it is told later. Devices know a flow by its target's
 * address and port. One for which a device has no class left is paced by its target only: until it
 * gets one, nothing is guaranteed on that link; nor is it on the way of one that no device can
 * know, as of all whose targets have IPv6 addresses. Used under the lock of its owner.
 */
final class TcDriver implements RateDriver {
  private static final int PORTS = 512;

  /** A class of a device. */
  private static final class Slot {
    final int number;

    /** Bytes per second that the device was told. */
    long rate;

    Slot(int number) {
      this.number = number;
    }
  }

  private static final class Shaped {
    final String address;
    final int port;

    /** In the order in which the flow passes them. */
    final List<Link> path;

    /** Of those links where it has one. */
    final Map<Link, Slot> slots = new HashMap<>();

    /** Bytes per second. A flow that has just begun will get a rate. */
    long wanted = 1;

    Shaped(String address, int port, List<Link> path) {
      this.address = address;
      this.port = port;
      this.path = List.copyOf(path);
    }

    List<Link> withoutSlot() {
      return wanted == 0
          ? List.of()
          : path.stream().filter(link -> !slots.containsKey(link)).toList();
    }
  }

  private final Daemons daemons;
  private final int firstPort;
  private final Optional<Shaper> switches;
  private final Map<PrefetchFlow, Shaped> flows = new HashMap<>();

  /** The ways of flows that no device can know. */
  private final Map<PrefetchFlow, List<Link>> unknown = new HashMap<>();

  private final List<Shaped> ending = new ArrayList<>();
  private final Map<String, BitSet> slots = new HashMap<>();

  /** Links that a flow is to pass at a rate without having a slot there. */
  private final Set<String> crowded = new HashSet<>();

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
    String name = name(link);
    boolean isKept =
        isHosts(link)
            ? daemons.isShaped(link.node())
            : switches.isPresent() && Shape.isPort(name) && switches.get().shapes(name);
    return isKept && Shape.isPort(name) && !crowded.contains(name);
  }

  @Override
  public void lost(String host) {
    lost.add(host);
  }

  @Override
  public OptionalInt begin(PrefetchFlow flow, List<Link> path) {
    Optional<Daemon> target = daemons.at(flow.target());
    if (target.isEmpty()) {
      return OptionalInt.empty();
    }
    String address = target.get().address();
    OptionalInt port = isIpv4(address) ? freePort(address) : OptionalInt.empty();
    if (port.isPresent()) {
      Shaped shaped = new Shaped(address, port.getAsInt(), path);
      takeSlots(shaped);
      crowd(shaped.withoutSlot());
      flows.put(flow, shaped);
    } else {
      crowd(path);
      unknown.put(flow, List.copyOf(path));
    }
    return port;
  }

  private void crowd(List<Link> links) {
    links.forEach(link -> crowded.add(name(link)));
  }

  /**
   * One that no flow to this address has. Those that were used lately may still be in use, and come
   * last again.
   */
  private OptionalInt freePort(String address) {
    Set<Integer> used =
        Stream.concat(flows.values().stream(), ending.stream())
            .filter(shaped -> shaped.address.equals(address))
            .map(shaped -> shaped.port)
            .collect(Collectors.toSet());
    for (int tried = 0; tried < PORTS; tried++) {
      lastPort = (lastPort + 1) % PORTS;
      if (!used.contains(firstPort + lastPort)) {
        return OptionalInt.of(firstPort + lastPort);
      }
    }
    return OptionalInt.empty();
  }

  private void takeSlots(Shaped shaped) {
    for (Link link : shaped.withoutSlot()) {
      BitSet taken = slots.computeIfAbsent(name(link), unused -> new BitSet());
      int number = taken.nextClearBit(1);
      if (number <= Shape.SLOTS && isShaped(link)) {
        taken.set(number);
        shaped.slots.put(link, new Slot(number));
      }
    }
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
   * Devices count headers, too. All rates stay those before if the source, which is the first,
   * cannot be told.
   *
   * @param which by the rate that a device was told and the one that the flow is to have
   */
  private void shape(Shaped shaped, BiPredicate<Long, Long> which) {
    long bits = Wire.bits(shaped.wanted);
    for (Link link : shaped.path) {
      Slot slot = shaped.slots.get(link);
      if (slot != null && which.test(slot.rate, shaped.wanted)) {
        Shape shape = new Shape(name(link), slot.number, bits, shaped.address, shaped.port);
        if (!tell(link, shape)) {
          return;
        }
        slot.rate = shaped.wanted;
      }
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
      if (remaining.contains(flow)) {
        flows.get(flow).wanted = rate.applyAsLong(flow);
      } else {
        Shaped ended = flows.remove(flow);
        ended.wanted = 0;
        ending.add(ended);
      }
    }
    // A link must have a rate left before it can promise it to another flow.
    ending.removeIf(this::givesWay);
    flows.values().forEach(this::givesWay);
    for (Shaped shaped : flows.values()) {
      takeSlots(shaped);
      shape(shaped, (before, now) -> now > before);
    }
    unknown.keySet().retainAll(remaining);
    crowded.clear();
    flows.values().forEach(shaped -> crowd(shaped.withoutSlot()));
    unknown.forEach(
        (flow, path) -> {
          if (rate.applyAsLong(flow) > 0) {
            crowd(path);
          }
        });
  }

  /**
   * Its slots are taken until their devices have been told. One whose map reads is not paced any
   * more, and needs none.
   *
   * @return whether it has no slots any more
   */
  private boolean givesWay(Shaped shaped) {
    shape(shaped, (before, now) -> now < before);
    boolean isDone =
        shaped.wanted == 0 && shaped.slots.values().stream().allMatch(slot -> slot.rate == 0);
    if (isDone) {
      shaped.slots.forEach((link, slot) -> slots.get(name(link)).clear(slot.number));
      shaped.slots.clear();
    }
    return isDone;
  }
}
