package io.orchestra.hadoop.testbed.cluster;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostShell;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.LinkCounters;
import io.orchestra.hadoop.testbed.network.NetworkPlan;
import io.orchestra.hadoop.testbed.network.Wiring;
import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A cluster whose hosts were alive when it was found: the way to its hosts, daemons and links.
 *
 * <p>Its hosts and network stay the same as long as it is up. Its plugins, settings and rates may
 * change: {@link #spec} and {@link #state} tell what holds now.
 */
public final class Cluster {
  private final TestbedHome home;
  private final String name;
  private final NetworkPlan plan;
  private final Map<String, ProcessIdentity> hosts;
  private final ProcessTable table = ProcessTable.ofThisMachine();

  Cluster(TestbedHome home, ClusterState state) {
    this.home = home;
    this.name = state.spec().name();
    this.plan = state.spec().network();
    this.hosts = state.hosts();
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

  public String name() {
    return name;
  }

  public ClusterSpec spec() {
    return state().spec();
  }

  /** What is remembered of it now; fails if it is down. */
  public ClusterState state() {
    return stateFile().read().orElseThrow(() -> new TestbedException(notUp(name)));
  }

  StateFile stateFile() {
    return new StateFile(directory().state());
  }

  public NetworkPlan plan() {
    return plan;
  }

  public ClusterDirectory directory() {
    return home.cluster(name);
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
    return new HostShell(host.name(), hosts.get(host.name()), home.mountPoint());
  }

  public HostShell firstMaster() {
    return shell(plan.firstMaster());
  }

  /** HTTP from the first master, as an administrator where the cluster has Kerberos. */
  public WebClient web() {
    return web(Optional.of(Account.HDFS));
  }

  /**
   * HTTP from the first master.
   *
   * @param user in whose name, where the cluster has Kerberos; without one there, nobody's
   */
  public WebClient web(Optional<Account> user) {
    return web(plan.firstMaster(), user);
  }

  /** HTTP from a host, as an administrator where the cluster has Kerberos. */
  WebClient web(Host host) {
    return web(host, Optional.of(Account.HDFS));
  }

  private WebClient web(Host host, Optional<Account> user) {
    return new WebClient(
        shell(host),
        kerberos()
            .map(kerberos -> new WebIdentity(kerberos, user).curlOptions())
            .orElse(List.of()));
  }

  /** Where a daemon on a host answers HTTP, such as {@code http://m1:9870}. */
  public String webAddress(Host host, Daemon daemon) {
    return daemon.webAddress(host.name(), spec().kerberos());
  }

  Optional<Kerberos> kerberos() {
    return Kerberos.of(spec(), directory(), home.mountPoint());
  }

  /** The command lines of Hadoop's programs here. */
  HadoopPrograms programs() {
    return new HadoopPrograms(directory(), state().hadoop(), kerberos());
  }

  public HostDaemons daemons() {
    return new HostDaemons(this, table);
  }

  /** What {@code hdfs dfsadmin} with these arguments prints, as the superuser; fails if it does. */
  public String dfsadmin(String... arguments) {
    List<String> words =
        ImmutableList.<String>builder().add("hdfs", "dfsadmin").add(arguments).build();
    return HadoopClient.onFirstMaster(this, Account.HDFS).hadoop(words).output();
  }

  /** {@code mapreduce.application.classpath}, unless somebody has set another. */
  public String taskClassPath() {
    return BaseSettings.taskClassPath(directory(), state().hadoop());
  }

  public Wiring wiring() {
    return new Wiring(plan, hosts);
  }

  /** Bytes that each link has carried. */
  public LinkCounters linkCounters() {
    return new LinkCounters(plan, hosts.get(NetworkPlan.FABRIC), table);
  }

  /** The first process of a host, or of the fabric. */
  ProcessIdentity init(String host) {
    return hosts.get(host);
  }
}
