package io.orchestra.hadoop.testbed.network;

import io.orchestra.hadoop.testbed.process.Command;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The network of running hosts: builds it, cuts and heals links, changes their rates.
 *
 * <p>Nothing of it is ever visible in the machine's own network namespace, and the kernel removes
 * all of it with the hosts.
 */
public final class Wiring {
  private final NetworkPlan plan;
  private final Map<String, Long> processes;

  /**
   * @param processes the first process of each host and of the fabric, by name
   */
  public Wiring(NetworkPlan plan, Map<String, Long> processes) {
    this.plan = plan;
    this.processes = Map.copyOf(processes);
  }

  public void build() {
    batch("ip", NetworkPlan.FABRIC, NetworkCommands.fabric(plan, processes));
    for (Host host : plan.hosts()) {
      batch("ip", host.name(), NetworkCommands.host(plan, host));
    }
    Map<String, List<String>> limits = new HashMap<>();
    for (Link link : plan.links()) {
      for (Link.End end : List.of(link.lower(), link.upper())) {
        limits
            .computeIfAbsent(end.namespace(), namespace -> new ArrayList<>())
            .addAll(NetworkCommands.limit(end.device(), link.rate()));
      }
    }
    limits.forEach((namespace, lines) -> batch("tc", namespace, lines));
  }

  /** Takes the carrier away from both ends of a link. */
  public void cut(Link link) {
    batch(
        "ip", link.upper().namespace(), List.of("link set dev " + link.upper().device() + " down"));
  }

  public void heal(Link link) {
    batch("ip", link.upper().namespace(), List.of("link set dev " + link.upper().device() + " up"));
  }

  public void changeRate(Link link, Rate from, Rate to) {
    for (Link.End end : List.of(link.lower(), link.upper())) {
      batch("tc", end.namespace(), NetworkCommands.change(end.device(), from, to));
    }
  }

  private void batch(String program, String namespace, List<String> lines) {
    if (lines.isEmpty()) {
      return;
    }
    // Only the network namespace is entered, so that "netns PID" means this machine's pids.
    String target = Long.toString(processes.get(namespace));
    Command.of("nsenter", "--target", target, "--net", program, "-batch", "-")
        .reading(String.join("\n", lines) + "\n")
        .output();
  }
}
