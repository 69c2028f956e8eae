package io.orchestra.hadoop.testbed.network;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.testbed.process.Command;
import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import io.orchestra.hadoop.testbed.process.ProcessTable;
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
  /**
   * How TCP behaves on emulated hosts, whatever the machine's own is set to: it heeds losses, as
   * Linux's default does, and every machine lets a namespace choose it.
   */
  public static final String CONGESTION_CONTROL = "reno";

  private static final String NO_QUEUES = "";

  private final NetworkPlan plan;
  private final Map<String, ProcessIdentity> processes;
  private final ProcessTable table = ProcessTable.ofThisMachine();

  /**
   * @param processes the first process of each host and of the fabric, by name
   */
  public Wiring(NetworkPlan plan, Map<String, ProcessIdentity> processes) {
    this.plan = plan;
    this.processes = Map.copyOf(processes);
  }

  public void build() {
    batch("ip", NetworkPlan.FABRIC, NetworkCommands.fabric(plan, processes));
    for (Host host : plan.hosts()) {
      batch("ip", host.name(), NetworkCommands.host(plan, host));
      enter(host.name(), List.of("sh", "-c", NetworkCommands.tcp(CONGESTION_CONTROL))).output();
    }
    Map<String, List<String>> limits = new HashMap<>();
    for (Link link : plan.links()) {
      for (Link.End end : link.ends()) {
        limits
            .computeIfAbsent(end.namespace(), namespace -> new ArrayList<>())
            .addAll(NetworkCommands.rate(end.device(), link.rate(), NO_QUEUES));
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

  /**
   * Gives both ends of a link a rate, whatever each has now; what was stopped half-way is put right
   * by doing it again.
   */
  public void changeRate(Link link, Rate rate) {
    for (Link.End end : link.ends()) {
      batch("tc", end.namespace(), NetworkCommands.rate(end.device(), rate, queues(end)));
    }
  }

  private String queues(Link.End end) {
    return enter(end.namespace(), List.of("tc", "qdisc", "show", "dev", end.device())).output();
  }

  private void batch(String program, String namespace, List<String> lines) {
    if (!lines.isEmpty()) {
      enter(namespace, List.of(program, "-batch", "-"))
          .reading(String.join("\n", lines) + "\n")
          .output();
    }
  }

  private Command enter(String namespace, List<String> program) {
    ProcessIdentity process = processes.get(namespace);
    table.require(process, "host " + namespace);
    // Only the network namespace is entered, so that "netns PID" means this machine's pids.
    return Command.of(
            ImmutableList.<String>builder()
                .add("nsenter", "--target", Long.toString(process.pid()), "--net")
                .addAll(program)
                .build())
        .named(String.join(" ", program) + " on " + namespace);
  }
}
