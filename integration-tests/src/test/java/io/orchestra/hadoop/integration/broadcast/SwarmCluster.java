package io.orchestra.hadoop.integration.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.integration.EmulatedHosts;
import io.orchestra.hadoop.testbed.agent.MasterAgent;
import io.orchestra.hadoop.testbed.agent.WorkerAgent;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.Faults;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostProgram;
import io.orchestra.hadoop.testbed.network.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Stock daemons on emulated hosts with the broadcast cache on. Files lie on the first two hosts,
 * the others localize them while things break.
 */
final class SwarmCluster implements AutoCloseable {
  static final List<String> HOLDERS = List.of("r1h1", "r2h1");
  static final List<String> RECEIVERS = List.of("r1h2", "r1h3", "r2h2", "r2h3");
  static final int WORKERS = 6;
  static final int FILE_BYTES = 20_000_000;

  /** What is still under way over slow links when a daemon is back, also on a busy machine. */
  static final int LARGE_FILE_BYTES = 3 * FILE_BYTES;

  /** Where each DataNode keeps cached blocks. */
  static final String CACHE = "/tmp/block-cache";

  private static final Rate HOST_RATE = Rate.parse("50mbit");
  private static final Duration LONGEST = Duration.ofMinutes(3);

  private final RunningCluster running;
  private final HostProgram master;
  private final Map<String, HostProgram> receivers;
  private int files;

  private SwarmCluster(
      RunningCluster running, HostProgram master, Map<String, HostProgram> receivers) {
    this.running = running;
    this.master = master;
    this.receivers = receivers;
  }

  /** Skips the test where hosts cannot be emulated. */
  static SwarmCluster up(String purpose, boolean highlyAvailable) {
    EmulatedHosts.assumePossible();
    ClusterSpec spec =
        ClusterSpec.of(
                "it-" + purpose + "-" + ProcessHandle.current().pid(),
                2,
                3,
                // So slow that there is time to break something.
                HOST_RATE,
                Rate.parse("150mbit"))
            .withHighAvailability(highlyAvailable)
            .withYarn(false)
            .with(
                List.of(Plugin.BROADCAST),
                List.of(
                    new Setting(Site.HDFS, "orchestra.broadcast.announce-interval", "500ms"),
                    // However busy the machine is, nobody gives the tracker up.
                    new Setting(Site.HDFS, "orchestra.broadcast.join-timeout", "15s"),
                    // Replicas are put where tests say.
                    new Setting(Site.HDFS, "dfs.namenode.redundancy.considerLoad", "false"),
                    new Setting(Site.HDFS, Plugin.BLOCK_CACHE_DIRECTORY, CACHE),
                    // Otherwise a localizer waits for a piece that does not come for half a minute.
                    new Setting(Site.HDFS, "orchestra.block-cache.wait-limit", "3s"),
                    // Otherwise a client fails when its idle connection turns out to be dead.
                    new Setting(Site.HDFS, "dfs.client.retry.policy.enabled", "true"),
                    // Otherwise a client gives up on a silent DataNode after a minute.
                    new Setting(Site.HDFS, "dfs.client.socket-timeout", "3000"),
                    new Setting(Site.HDFS, "dfs.namenode.heartbeat.recheck-interval", "3000")));
    RunningCluster running = EmulatedHosts.start(spec);
    try {
      HostProgram master =
          EmulatedHosts.program(running, "m1", Account.HDFS, "test-master", MasterAgent.class);
      Map<String, HostProgram> receivers = new LinkedHashMap<>();
      for (String host : RECEIVERS) {
        receivers.put(
            host,
            EmulatedHosts.program(running, host, Account.YARN, "test-receiver", WorkerAgent.class));
      }
      assertThat(master.receive(LONGEST)).isEqualTo("ready");
      receivers
          .values()
          .forEach(receiver -> assertThat(receiver.receive(LONGEST)).startsWith("ready"));
      SwarmCluster cluster = new SwarmCluster(running, master, receivers);
      cluster.tell("fresh /faults", "fresh");
      return cluster;
    } catch (RuntimeException | Error failure) {
      running.close();
      throw failure;
    }
  }

  Cluster hosts() {
    return running.cluster();
  }

  Faults faults() {
    return running.faults();
  }

  RunningCluster running() {
    return running;
  }

  String tell(String line, String expected) {
    master.send(line);
    String answer = master.receive(LONGEST);
    assertThat(answer).startsWith(expected);
    return answer.substring(expected.length()).strip();
  }

  /** A file on the holders; returns its path and its checksum. */
  Written put() {
    return put(FILE_BYTES);
  }

  Written put(int bytes) {
    String path = "/faults/" + files++;
    String sum =
        tell("put %s %d %d %s".formatted(path, bytes, files, String.join(" ", HOLDERS)), "put ");
    return new Written(path, bytes, sum);
  }

  record Written(String path, int bytes, String sum) {}

  /** All receivers begin to localize. */
  void localize(Written file) {
    localize(file, RECEIVERS);
  }

  void localize(Written file, List<String> hosts) {
    hosts.forEach(host -> receivers.get(host).send("read swarm " + file.path()));
  }

  /** Returns when all have all of it; fails if one has something else. */
  List<Double> awaitLocalized(Written file, List<String> hosts) {
    List<Double> seconds = new ArrayList<>();
    for (String host : hosts) {
      String[] words = receivers.get(host).receive(LONGEST).split(" ");
      assertThat(words).as("answer of " + host).hasSize(4);
      assertThat(words[0]).isEqualTo("read");
      assertThat(words[2]).isEqualTo(Integer.toString(file.bytes()));
      assertThat(words[3]).isEqualTo(file.sum());
      seconds.add(Double.parseDouble(words[1]));
    }
    return seconds;
  }

  void awaitLocalized(Written file) {
    assertThat(awaitLocalized(file, RECEIVERS)).hasSize(RECEIVERS.size());
  }

  Optional<JsonNode> report(String namenode) {
    return hosts().web().json("http://" + namenode + ":9870/orchestra/broadcast");
  }

  /** What all receivers of a file have had from one another and from replicas, bytes. */
  long arrived(String namenode, Written file) {
    long bytes = 0;
    for (JsonNode swarm : report(namenode).map(report -> report.path("swarms")).stream().toList()) {
      for (JsonNode one : swarm) {
        if (one.path("path").asText().equals(file.path())) {
          for (JsonNode receiver : one.path("receivers")) {
            bytes += receiver.path("fromPeers").asLong() + receiver.path("fromSeeds").asLong();
          }
        }
      }
    }
    return bytes;
  }

  /** How many receivers of a file a tracker knows. */
  int receivers(String namenode, Written file) {
    int count = 0;
    for (JsonNode report : report(namenode).stream().toList()) {
      for (JsonNode swarm : report.path("swarms")) {
        boolean same = swarm.path("path").asText().equals(file.path());
        count += same ? swarm.path("receivers").size() : 0;
      }
    }
    return count;
  }

  /** What all hosts send, as their DataNodes have told a tracker; bytes per second. */
  long sent(String namenode) {
    long bytes = 0;
    for (JsonNode peers : report(namenode).map(report -> report.path("peers")).stream().toList()) {
      for (JsonNode peer : peers) {
        bytes += peer.path("sends").asLong();
      }
    }
    return bytes;
  }

  /** A metric of the DataNode on a host. */
  long metric(String host, String source, String name) {
    return hosts()
        .web()
        .bean("http://" + host + ":9864", "DataNode,name=" + source)
        .orElseThrow()
        .path(name)
        .asLong();
  }

  /** What the DataNode on a host has logged. */
  List<String> log(String host) {
    String log = FileTree.read(hosts().directory().log(host, Daemon.DATANODE));
    return log.lines().toList();
  }

  /** Runs a program on a host as root, and returns what it prints. */
  String run(String host, String... words) {
    return hosts().shell(hosts().host(host)).command(Optional.empty(), List.of(words)).output();
  }

  /** Bytes that a host's link has carried to it so far. */
  long received(String host) {
    return run(host, "cat", "/proc/net/dev")
        .lines()
        .map(String::strip)
        .filter(line -> line.contains(":") && !line.startsWith("lo:"))
        .mapToLong(
            line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip().split(" +")[0]))
        .sum();
  }

  /**
   * Changes the links of all hosts: where only receivers are slow, holders may well send everybody
   * everything.
   */
  void slowDown(Rate rate) {
    Stream.concat(HOLDERS.stream(), RECEIVERS.stream()).forEach(host -> faults().rate(host, rate));
  }

  void speedUp() {
    slowDown(HOST_RATE);
  }

  void awaitPeers(String namenode, int peers) {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> report(namenode).map(report -> report.path("peers").size()).orElse(0) == peers);
  }

  /** Returns when the swarm is in the middle. */
  void awaitMiddle(String namenode, Written file) {
    await()
        .pollInterval(Duration.ofMillis(100))
        .atMost(Duration.ofMinutes(1))
        .until(() -> arrived(namenode, file) > FILE_BYTES / 2);
  }

  @Override
  public void close() {
    try (running) {
      receivers.values().forEach(HostProgram::close);
      master.close();
      running.succeeded();
    }
  }
}
