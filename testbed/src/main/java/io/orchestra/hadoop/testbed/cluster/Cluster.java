package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.host.HostShell;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.LinkCounters;
import io.orchestra.hadoop.testbed.network.NetworkPlan;
import io.orchestra.hadoop.testbed.network.Wiring;
import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A cluster whose hosts are alive: the way to its hosts, daemons and links. */
public final class Cluster {
  private final TestbedHome home;
  private final ClusterState state;
  private final NetworkPlan plan;

  Cluster(TestbedHome home, ClusterState state) {
    this.home = home;
    this.state = state;
    this.plan = state.spec().network();
  }

  /** The cluster of this name; fails unless it is up. */
  public static Cluster find(TestbedHome home, String name) {
    ClusterState state =
        new StateFile(home.cluster(name).state())
            .read()
            .orElseThrow(() -> new TestbedException(notUp(name)));
    ProcessTable table = ProcessTable.ofThisMachine();
    List<String> dead =
        state.hosts().entrySet().stream()
            .filter(host -> !table.isAlive(host.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    if (state.hosts().isEmpty() || dead.size() == state.hosts().size()) {
      throw new TestbedException(notUp(name) + "; what is left of it goes with 'cluster down'");
    }
    if (!dead.isEmpty()) {
      throw new TestbedException(
          "hosts of cluster '"
              + name
              + "' have ended: "
              + dead
              + "; 'cluster down', then up again");
    }
    return new Cluster(home, state);
  }

  private static String notUp(String name) {
    return "there is no cluster '" + name + "' that is up: start it with 'cluster up'";
  }

  public ClusterSpec spec() {
    return state.spec();
  }

  public ClusterState state() {
    return state;
  }

  public NetworkPlan plan() {
    return plan;
  }

  public ClusterDirectory directory() {
    return home.cluster(state.spec().name());
  }

  public TestbedHome home() {
    return home;
  }

  /** A host by its name; fails with the names there are. */
  public Host host(String name) {
    return plan.host(name)
        .orElseThrow(
            () ->
                new TestbedException(
                    "there is no host '"
                        + name
                        + "': this cluster has "
                        + plan.hosts().stream().map(Host::name).collect(Collectors.joining(", "))));
  }

  public HostShell shell(Host host) {
    return new HostShell(host.name(), state.hosts().get(host.name()), home.mountPoint());
  }

  public HostShell firstMaster() {
    return shell(plan.masters().get(0));
  }

  /** HTTP from the first master. */
  public WebClient web() {
    return new WebClient(firstMaster());
  }

  public HostDaemons daemons() {
    return new HostDaemons(this, ProcessTable.ofThisMachine());
  }

  public Wiring wiring() {
    return new Wiring(plan, processes());
  }

  /** Bytes that each link has carried. */
  public LinkCounters linkCounters() {
    return new LinkCounters(plan, processes());
  }

  private Map<String, Long> processes() {
    return state.hosts().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, host -> identity(host).pid()));
  }

  private static ProcessIdentity identity(Map.Entry<String, ProcessIdentity> host) {
    return host.getValue();
  }
}
