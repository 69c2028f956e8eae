package io.orchestra.hadoop.core.topology;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Lists;
import com.google.common.math.LongMath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A cluster's network as a tree: hosts are leaves, a network location such as {@code /dc1/rack3} is
 * a chain of switches below the core. Each node but the core has one link up and one link down of
 * equal capacity.
 *
 * <p>Nodes are numbered: hosts from 0 in the order they were added, then the switches, every parent
 * after its children; the core is last. Immutable.
 */
public final class NetworkTree {
  private final List<String> names;
  private final ImmutableMap<String, Integer> hostNumbers;
  private final ImmutableMap<String, Integer> switchNumbers;
  private final int[] parents;
  private final long[] capacities;
  private final int hosts;

  private NetworkTree(List<String> names, int[] parents, long[] capacities, int hosts) {
    this.names = ImmutableList.copyOf(names);
    this.parents = parents;
    this.capacities = capacities;
    this.hosts = hosts;
    hostNumbers = numbered(0, hosts);
    switchNumbers = numbered(hosts, names.size());
  }

  private ImmutableMap<String, Integer> numbered(int from, int to) {
    ImmutableMap.Builder<String, Integer> numbers = ImmutableMap.builder();
    for (int node = from; node < to; node++) {
      numbers.put(names.get(node), node);
    }
    return numbers.buildOrThrow();
  }

  public static Builder builder() {
    return new Builder();
  }

  public int hosts() {
    return hosts;
  }

  /** Hosts, switches and the core. */
  public int nodes() {
    return parents.length;
  }

  public int core() {
    return parents.length - 1;
  }

  /**
   * @return the host's number
   * @throws IllegalArgumentException if there is no such host
   */
  public int host(String name) {
    return findHost(name)
        .orElseThrow(() -> new IllegalArgumentException("no host is named " + name));
  }

  /** The host's number; empty if there is none of this name. */
  public OptionalInt findHost(String name) {
    return number(hostNumbers.get(name));
  }

  /**
   * @return the number of the switch at this location
   * @throws IllegalArgumentException if no host is at or below it
   */
  public int switchAt(String location) {
    return findSwitch(location)
        .orElseThrow(() -> new IllegalArgumentException("no host is at or below " + location));
  }

  /** The number of the switch at this location; empty if no host is at or below it. */
  public OptionalInt findSwitch(String location) {
    return number(switchNumbers.get(normalized(location)));
  }

  private static OptionalInt number(Integer found) {
    return found == null ? OptionalInt.empty() : OptionalInt.of(found);
  }

  /** Whether {@code node} is {@code top} or has it above. */
  public boolean isBelow(int node, int top) {
    int at = node;
    while (at < top && at >= 0) {
      at = parents[at];
    }
    return at == top;
  }

  /** A host's name or a switch's location; the core is {@code /}. */
  public String name(int node) {
    return names.get(node);
  }

  /**
   * @return the switch above; -1 for the core
   */
  public int parent(int node) {
    return parents[node];
  }

  /**
   * Bytes per second of the node's link to its parent, each direction. {@link Long#MAX_VALUE} for
   * the core.
   */
  public long capacity(int node) {
    return capacities[node];
  }

  /** The links that data crosses from one host to another, in order; empty if they are the same. */
  public List<Link> path(String from, String to) {
    List<Link> up = new ArrayList<>();
    List<Link> down = new ArrayList<>();
    int source = host(from);
    int target = host(to);
    int common = commonSwitch(source, target);
    for (int node = source; node != common; node = parents[node]) {
      up.add(new Link(names.get(node), Direction.UP, capacities[node]));
    }
    for (int node = target; node != common; node = parents[node]) {
      down.add(new Link(names.get(node), Direction.DOWN, capacities[node]));
    }
    up.addAll(Lists.reverse(down));
    return up;
  }

  /** The lowest node that has both nodes in its subtree; the node itself if they are the same. */
  private int commonSwitch(int a, int b) {
    int first = a;
    int second = b;
    // A parent's number is larger than its children's: the smaller number can always climb.
    while (first != second) {
      if (first < second) {
        first = parents[first];
      } else {
        second = parents[second];
      }
    }
    return first;
  }

  /**
   * For each node the sum of a per-host quantity over the hosts below it (Sinbad, section 6.2: the
   * load of a link between switches).
   *
   * @param perHost one value a host
   * @return one value a node; sums stop at {@link Long#MAX_VALUE}
   */
  public long[] sumOverSubtrees(long[] perHost) {
    checkArgument(perHost.length == hosts, "%s values for %s hosts", perHost.length, hosts);
    long[] sums = new long[nodes()];
    System.arraycopy(perHost, 0, sums, 0, hosts);
    for (int node = 0; node < core(); node++) {
      sums[parents[node]] = LongMath.saturatedAdd(sums[parents[node]], sums[node]);
    }
    return sums;
  }

  /** Collects hosts and switches. The names of hosts must be distinct. */
  public static final class Builder {
    private record Host(String location, long capacity) {}

    private final Map<String, Host> hosts = new LinkedHashMap<>();
    private final Map<String, Long> switchCapacities = new HashMap<>();

    private Builder() {}

    /**
     * @param location {@code /rack}, {@code /dc/rack}, …; {@code /} puts the host directly at the
     *     core
     * @param capacity of the host's link, bytes per second
     */
    public Builder host(String name, String location, long capacity) {
      checkArgument(capacity > 0, "the link of %s has capacity %s", name, capacity);
      checkArgument(
          location.isEmpty() || location.startsWith("/"),
          "%s is at '%s', not at /…",
          name,
          location);
      checkArgument(
          hosts.put(name, new Host(normalized(location), capacity)) == null,
          "host %s is there twice",
          name);
      return this;
    }

    /**
     * Sets the capacity of a switch's link to its parent. Without it the link is taken as
     * non-blocking: the sum of the capacities below.
     */
    public Builder switchCapacity(String location, long capacity) {
      checkArgument(capacity > 0, "the link of %s has capacity %s", location, capacity);
      switchCapacities.put(normalized(location), capacity);
      return this;
    }

    public NetworkTree build() {
      List<String> switches = switchesChildrenFirst();
      Map<String, Integer> numbers = new HashMap<>();
      for (String location : switches) {
        numbers.put(location, hosts.size() + numbers.size());
      }
      List<String> names = new ArrayList<>(hosts.keySet());
      names.addAll(switches);
      int[] parents = new int[names.size()];
      long[] capacities = new long[names.size()];
      int node = 0;
      for (Host host : hosts.values()) {
        parents[node] = numbers.get(host.location());
        capacities[node++] = host.capacity();
      }
      for (; node < names.size() - 1; node++) {
        parents[node] = numbers.get(parentOf(names.get(node)));
      }
      parents[node] = -1;
      sumMissingCapacities(names, parents, capacities);
      return new NetworkTree(names, parents, capacities, hosts.size());
    }

    private void sumMissingCapacities(List<String> names, int[] parents, long[] capacities) {
      int core = names.size() - 1;
      for (int node = 0; node < core; node++) {
        if (node >= hosts.size()) {
          capacities[node] = switchCapacities.getOrDefault(names.get(node), capacities[node]);
        }
        capacities[parents[node]] =
            LongMath.saturatedAdd(capacities[parents[node]], capacities[node]);
      }
      capacities[core] = Long.MAX_VALUE;
    }

    private List<String> switchesChildrenFirst() {
      Map<String, Integer> depths = new HashMap<>();
      depths.put("/", 0);
      for (Host host : hosts.values()) {
        for (String at = host.location(); !at.equals("/"); at = parentOf(at)) {
          depths.put(at, (int) at.chars().filter(c -> c == '/').count());
        }
      }
      List<String> switches = new ArrayList<>(depths.keySet());
      switches.sort(
          (a, b) ->
              depths.get(a).equals(depths.get(b)) ? a.compareTo(b) : depths.get(b) - depths.get(a));
      return switches;
    }

    private static String parentOf(String location) {
      int slash = location.lastIndexOf('/');
      return slash <= 0 ? "/" : location.substring(0, slash);
    }
  }

  /** Hadoop writes the root as the empty string. */
  private static String normalized(String location) {
    if (location.isEmpty()) {
      return "/";
    }
    return location.length() > 1 && location.endsWith("/")
        ? location.substring(0, location.length() - 1)
        : location;
  }
}
