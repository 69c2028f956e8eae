package io.orchestra.hadoop.testbed.network;

import com.google.common.base.Preconditions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The hosts, racks and links of a cluster, as pure data.
 *
 * <p>Workers hang off the bridge of their rack, racks off the core bridge; masters hang off the
 * core and are never limited. All bridges live in one namespace, the fabric. Host {@code n} of rack
 * {@code r} is called {@code r<r>h<n>} and has the address {@code 10.50.r.n}.
 *
 * @param racks how many racks, 1 to 200
 * @param hostsPerRack how many workers in each, 1 to 200
 * @param masterCount how many masters, 1 or 2
 */
public record NetworkPlan(
    int racks, int hostsPerRack, int masterCount, Rate hostRate, Rate uplinkRate) {
  /** The namespace that holds the bridges. */
  public static final String FABRIC = "fabric";

  public static final String CORE = "core";
  private static final int LARGEST = 200;
  private static final String HOST_DEVICE = "eth0";

  public NetworkPlan {
    Preconditions.checkArgument(racks >= 1 && racks <= LARGEST, "racks: 1 to 200, not %s", racks);
    Preconditions.checkArgument(
        hostsPerRack >= 1 && hostsPerRack <= LARGEST,
        "hosts per rack: 1 to 200, not %s",
        hostsPerRack);
    Preconditions.checkArgument(masterCount == 1 || masterCount == 2, "masters: 1 or 2");
  }

  public List<Host> masters() {
    List<Host> hosts = new ArrayList<>();
    for (int number = 1; number <= masterCount; number++) {
      hosts.add(new Host("m" + number, CORE, "10.50.0." + number));
    }
    return hosts;
  }

  public Host firstMaster() {
    return masters().get(0);
  }

  public List<Host> workers() {
    List<Host> hosts = new ArrayList<>();
    for (int rack = 1; rack <= racks; rack++) {
      for (int number = 1; number <= hostsPerRack; number++) {
        hosts.add(
            new Host("r" + rack + "h" + number, "rack" + rack, "10.50." + rack + "." + number));
      }
    }
    return hosts;
  }

  /** Masters, then workers. */
  public List<Host> hosts() {
    return Stream.concat(masters().stream(), workers().stream()).toList();
  }

  public List<String> rackNames() {
    return Stream.iterate(1, rack -> rack <= racks, rack -> rack + 1).map(r -> "rack" + r).toList();
  }

  /** Uplinks of the racks, then the links of masters and workers. */
  public List<Link> links() {
    List<Link> links = new ArrayList<>();
    for (String rack : rackNames()) {
      links.add(
          new Link(
              rack,
              new Link.End(FABRIC, rack + "-up"),
              new Link.End(FABRIC, rack + "-down"),
              uplinkRate));
    }
    for (Host host : hosts()) {
      links.add(
          new Link(
              host.name(),
              new Link.End(host.name(), HOST_DEVICE),
              new Link.End(FABRIC, host.name()),
              host.place().equals(CORE) ? Rate.UNLIMITED : hostRate));
    }
    return links;
  }

  public Optional<Link> link(String name) {
    return links().stream().filter(link -> link.name().equals(name)).findFirst();
  }

  public Optional<Host> host(String name) {
    return hosts().stream().filter(host -> host.name().equals(name)).findFirst();
  }

  /** The {@code /etc/hosts} of every host. */
  public String hostsFile() {
    StringBuilder text = new StringBuilder("127.0.0.1 localhost\n");
    hosts()
        .forEach(host -> text.append(host.address()).append(' ').append(host.name()).append('\n'));
    return text.toString();
  }

  /** Hadoop's table of network locations, by host name and by address. */
  public String topologyTable() {
    StringBuilder text = new StringBuilder();
    for (Host host : hosts()) {
      text.append(host.name()).append(" /").append(host.place()).append('\n');
      text.append(host.address()).append(" /").append(host.place()).append('\n');
    }
    return text.toString();
  }
}
