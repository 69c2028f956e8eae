package io.orchestra.hadoop.testbed.network;

import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Renders a plan, and changes to it, as lines for {@code ip -batch}, {@code tc -batch} and a shell.
 */
public final class NetworkCommands {
  /** How tc shows a device that has a limit. */
  private static final String ROOT = "qdisc htb 1: root";

  private NetworkCommands() {}

  /**
   * What ip does in the fabric.
   *
   * @param processes a process in each host's network namespace; cables end there
   */
  public static List<String> fabric(NetworkPlan plan, Map<String, ProcessIdentity> processes) {
    List<String> lines = new ArrayList<>();
    bridge(lines, NetworkPlan.CORE);
    for (String rack : plan.rackNames()) {
      bridge(lines, rack);
      Link uplink = plan.link(rack).orElseThrow();
      // The names are spelt out: ip reads a bare one such as "core" as one of its own words.
      lines.add(
          "link add name %s type veth peer name %s"
              .formatted(uplink.lower().device(), uplink.upper().device()));
      lines.add("link set dev %s master %s up".formatted(uplink.lower().device(), rack));
      lines.add(
          "link set dev %s master %s up".formatted(uplink.upper().device(), NetworkPlan.CORE));
    }
    for (Host host : plan.hosts()) {
      Link link = plan.link(host.name()).orElseThrow();
      lines.add(
          "link add name %s type veth peer name %s netns %d"
              .formatted(
                  link.upper().device(), link.lower().device(), processes.get(host.name()).pid()));
      lines.add("link set dev %s master %s up".formatted(link.upper().device(), host.place()));
    }
    return lines;
  }

  /** What ip does in the namespace of one host. */
  public static List<String> host(NetworkPlan plan, Host host) {
    String device = plan.link(host.name()).orElseThrow().lower().device();
    return List.of(
        "address add %s/16 dev %s".formatted(host.address(), device),
        "link set dev %s up".formatted(device));
  }

  /** What a shell does in the namespace of one host. */
  public static String tcp(String congestionControl) {
    return "echo %s > /proc/sys/net/ipv4/tcp_congestion_control".formatted(congestionControl);
  }

  /**
   * What tc does to give a device a rate, whatever it has now: done twice, or after having been
   * stopped half-way, it comes to the same.
   *
   * <p>A burst of 64 kB, 5 ms at 100 Mbit/s, lets packets through that the kernel has not cut to
   * frames; a smaller one would keep a single flow below the rate.
   *
   * @param queues what {@code tc qdisc show} says about the device
   */
  public static List<String> rate(String device, Rate rate, String queues) {
    boolean limited = queues.contains(ROOT);
    List<String> lines = new ArrayList<>();
    if (rate.limited()) {
      if (!limited) {
        // HTB is the one part that cannot be replaced by itself.
        lines.add("qdisc add dev %s root handle 1: htb default 1".formatted(device));
      }
      lines.add(
          "class replace dev %s parent 1: classid 1:1 htb rate %dbit burst 64k cburst 64k quantum 60000"
              .formatted(device, rate.bitsPerSecond()));
      lines.add(
          "qdisc replace dev %s parent 1:1 handle 10: bfifo limit %d"
              .formatted(device, rate.queueBytes()));
    } else if (limited) {
      lines.add("qdisc del dev %s root".formatted(device));
    }
    return lines;
  }

  private static void bridge(List<String> lines, String name) {
    lines.add("link add name %s type bridge mcast_snooping 0".formatted(name));
    lines.add("link set dev %s up".formatted(name));
  }
}
