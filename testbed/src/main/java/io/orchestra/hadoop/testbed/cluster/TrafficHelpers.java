package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.Opened;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.hadoop.Jvm;
import io.orchestra.hadoop.testbed.hadoop.Role;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostProgram;
import io.orchestra.hadoop.testbed.host.HostShell;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.Link;
import io.orchestra.hadoop.testbed.network.NetworkPlan;
import io.orchestra.hadoop.testbed.network.Rate;
import io.orchestra.hadoop.testbed.process.Command;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Traffic helpers of the prefetch scheduler: one on each worker, for what that sends, and one for
 * the ports of all switches, on the first master. While they run the links of workers and racks are
 * those that they make, as fast as the cluster's were built.
 */
public final class TrafficHelpers implements AutoCloseable {
  private static final Path HOST_SOCKET = Path.of("/run/orchestra-traffic/socket");
  private static final Path SWITCH_SOCKET = Path.of("/run/orchestra-switches/socket");
  private static final Duration LONGEST_START = Duration.ofMinutes(1);
  private static final int LONGEST_END = 30;

  /** With these the plugin asks them for the rates of prefetches. */
  public static final List<Setting> SETTINGS =
      List.of(
          new Setting(Site.YARN, "orchestra.prefetch.driver", "tc"),
          new Setting(Site.YARN, "orchestra.prefetch.tc.switches", SWITCH_SOCKET.toString()),
          new Setting(Site.HDFS, "orchestra.prefetch.tc.socket", HOST_SOCKET.toString()));

  private final RunningCluster running;
  private final Cluster cluster;
  private final List<HostProgram> helpers = new ArrayList<>();

  private TrafficHelpers(RunningCluster running) {
    this.running = running;
    cluster = running.cluster();
  }

  /** Starts all, and returns when they have made their links. */
  public static TrafficHelpers start(RunningCluster running) {
    return Opened.prepared(new TrafficHelpers(running), helpers -> helpers.start());
  }

  private void start() {
    // Devices whose links the testbed shapes are none of a helper's.
    rates(link -> Rate.UNLIMITED);
    cluster.plan().workers().forEach(this::startOnHost);
    startForSwitches();
  }

  private void startOnHost(Host host) {
    Link link = link(host.name());
    HostShell shell = cluster.shell(host);
    start(
        shell,
        shell.words(
            Optional.empty(),
            helper(HOST_SOCKET, Account.HDFS, List.of(port("host", link.lower(), link)))),
        HOST_SOCKET);
  }

  /** Whoever schedules reaches it, as the manager of switches it would be elsewhere. */
  private void startForSwitches() {
    List<String> ports = new ArrayList<>();
    for (Host worker : cluster.plan().workers()) {
      Link link = link(worker.name());
      ports.add(port(worker.name() + ":down", link.upper(), link));
    }
    for (String rack : cluster.plan().rackNames()) {
      Link link = link(rack);
      ports.add(port("/" + rack + ":up", link.lower(), link));
      ports.add(port("/" + rack + ":down", link.upper(), link));
    }
    HostShell shell = cluster.firstMaster();
    List<String> words =
        new ArrayList<>(shell.words(Optional.empty(), helper(SWITCH_SOCKET, Account.YARN, ports)));
    long fabric = cluster.state().hosts().get(NetworkPlan.FABRIC).pid();
    words.add(words.indexOf("--all") + 1, "--net=/proc/%d/ns/net".formatted(fabric));
    start(shell, words, SWITCH_SOCKET);
  }

  private static String port(String name, Link.End end, Link link) {
    return "%s=%s=%d".formatted(name, end.device(), link.rate().bitsPerSecond());
  }

  private List<String> helper(Path socket, Account client, List<String> ports) {
    List<String> words =
        new ArrayList<>(
            List.of(
                Jvm.program(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                cluster.directory().jars(Role.DATANODE) + "/*",
                "io.orchestra.hadoop.prefetch.traffic.TrafficHelper",
                socket.toString(),
                client.userName()));
    words.addAll(ports);
    return words;
  }

  private void start(HostShell host, List<String> words, Path socket) {
    String unused =
        host.command(Optional.empty(), List.of("mkdir", "-p", socket.getParent().toString()))
            .output();
    HostProgram helper =
        HostProgram.start(
            Command.of(words)
                .named("traffic helper on " + host.host())
                .withOnly(host.environment(Optional.empty())),
            cluster.directory().logs(host.host()).resolve("traffic-helper.log"));
    helpers.add(helper);
    String answer = helper.receive(LONGEST_START);
    if (!answer.equals("ready")) {
      throw new TestbedException("the traffic helper on %s says %s".formatted(host.host(), answer));
    }
  }

  private Link link(String name) {
    return cluster.plan().link(name).orElseThrow();
  }

  /** Ends all of them, which take their links along, and makes the testbed's own again. */
  @Override
  public void close() {
    ProcessTable processes = ProcessTable.ofThisMachine();
    helpers.forEach(helper -> processes.terminate(helper.identity()));
    try {
      Waiting.until(
          () -> helpers.stream().noneMatch(HostProgram::isAlive),
          "the end of traffic helpers",
          LONGEST_END);
    } finally {
      helpers.forEach(HostProgram::close);
      helpers.clear();
    }
    rates(Link::rate);
  }

  private void rates(Function<Link, Rate> rate) {
    Stream.concat(
            cluster.plan().workers().stream().map(Host::name), cluster.plan().rackNames().stream())
        .map(this::link)
        .forEach(link -> running.faults().rate(link.name(), rate.apply(link)));
  }
}
