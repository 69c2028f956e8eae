package io.orchestra.hadoop.testbed.bench.placement;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.Range;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.bench.BenchRun;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.host.HostProgram;
import io.orchestra.hadoop.testbed.network.Host;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The cluster of this benchmark: changes who places replicas, and loads links, while it runs. */
final class PlacementTestbed implements AutoCloseable {
  static final String DIRECTORY = "/bench";
  private static final String NAMENODE = "m1:8020";
  private static final String COLLECTOR = "m1:8120";
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(60);
  private static final int LONGEST_REPORT_SECONDS = 30;

  /** More than the time after which the oracle's last report is forgotten. */
  private static final int SETTLE_SECONDS = 6;

  private final RunningCluster running;
  private final Cluster cluster;
  private final Agents agents;
  private final Path excluded;

  private PlacementTestbed(RunningCluster running, Agents agents, Path excluded) {
    this.running = running;
    this.cluster = running.cluster();
    this.agents = agents;
    this.excluded = excluded;
  }

  static PlacementTestbed up(BenchRun run, boolean yarn) {
    Path excluded = run.home().cluster("bench-placement").root().resolve("etc/excluded");
    ClusterSpec spec =
        new ClusterSpec(
            "bench-placement",
            Sizes.RACKS,
            Sizes.HOSTS_PER_RACK,
            Sizes.HOST_RATE,
            Sizes.UPLINK_RATE,
            run.options().hadoopVersion(),
            "",
            false,
            yarn,
            List.of(Plugin.PLACEMENT),
            settings(Policy.DEFAULT, excluded));
    RunningCluster running = RunningCluster.up(run.home(), run.project(), spec, run.progress());
    try {
      FileTree.write(excluded, "");
      return new PlacementTestbed(running, Agents.start(running.cluster()), excluded);
    } catch (RuntimeException | Error failure) {
      running.close();
      throw failure;
    }
  }

  private static List<Setting> settings(Policy policy, Path excluded) {
    return List.of(
        policy.setting(), new Setting(Site.HDFS, "dfs.hosts.exclude", excluded.toString()));
  }

  Cluster cluster() {
    return cluster;
  }

  Agents agents() {
    return agents;
  }

  List<String> workers() {
    return cluster.plan().workers().stream().map(Host::name).toList();
  }

  /** Empties the benchmark's directory and has this policy place from now on. */
  void place(Policy policy) {
    agents.master("fresh " + DIRECTORY, "fresh", LONGEST_ANSWER);
    running.reconfigure(List.of(Plugin.PLACEMENT), settings(policy, excluded));
    agents.master("reconfigure " + NAMENODE, "reconfigured", LONGEST_ANSWER);
    dfsadmin(
        "-refresh " + NAMENODE + " orchestra-placement " + String.join(" ", policy.liveSettings()));
  }

  /** Leaves these hosts' DataNodes out of all placements, and no others. */
  void exclude(Collection<String> hosts) {
    FileTree.write(excluded, hosts.stream().map(host -> host + "\n").collect(Collectors.joining()));
    dfsadmin("-refreshNodes");
  }

  private void dfsadmin(String words) {
    agents.master("dfsadmin " + words, "status 0", LONGEST_ANSWER);
  }

  BackgroundTraffic load(BackgroundSchedule schedule) {
    return BackgroundTraffic.start(
        agents.source(), schedule, Sizes.FLOWS, Sizes.BACKGROUND_BYTES_PER_SECOND);
  }

  /** From now on all links are reported as the schedule will load them. */
  void foretell(BackgroundSchedule schedule, long startMillis, Duration horizon) {
    Map<String, String> uuids = Agents.pairs(agents.master("nodes", "nodes", LONGEST_ANSWER));
    agents
        .workers()
        .forEach(
            (host, agent) -> {
              List<String> words = new ArrayList<>();
              words.add("oracle");
              words.add(COLLECTOR);
              words.add(uuids.get(host));
              words.add(Long.toString(Sizes.BLOCK_LIFETIME.toSeconds()));
              words.add(Long.toString(Sizes.BACKGROUND_BYTES_PER_SECOND));
              words.add(Long.toString(Sizes.HOST_BYTES_PER_SECOND));
              for (Range<Long> span : schedule.spans(host, horizon)) {
                words.add(Long.toString(startMillis + span.lowerEndpoint()));
                words.add(Long.toString(startMillis + span.upperEndpoint()));
              }
              agent.send(String.join(" ", words));
            });
  }

  /** What became of the reports of what will be, until now. */
  OracleReports oracleReports() {
    Map<String, OracleReports.Count> hosts = new LinkedHashMap<>();
    agents
        .workers()
        .forEach(
            (host, agent) -> {
              agent.send("heard");
              String answer = Agents.expect("heard ", agent.receive(LONGEST_ANSWER));
              hosts.put(host, OracleReports.Count.parse(answer));
            });
    return new OracleReports(hosts);
  }

  /** From now on DataNodes report what they measure, once the last false report is forgotten. */
  void endForetelling() {
    agents.workers().values().forEach(agent -> agent.send("honest"));
  }

  /** Waits until reports have come from all DataNodes, and a few more for the averages. */
  void settle() {
    Waiting.until(
        () -> report().path("coverage").asDouble() >= 1,
        "link reports of all DataNodes",
        LONGEST_REPORT_SECONDS);
    try {
      TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted", e);
    }
  }

  /** What the plugin in the NameNode tells. */
  JsonNode report() {
    return cluster
        .web()
        .json("http://m1:9870/orchestra/placement")
        .orElseThrow(() -> new TestbedException("the placement plugin does not answer"));
  }

  /** Background traffic that has come to all workers, bytes. */
  long backgroundBytes() {
    long bytes = 0;
    for (HostProgram worker : agents.workers().values()) {
      worker.send("traffic");
      bytes += Long.parseLong(Agents.expect("traffic ", worker.receive(LONGEST_ANSWER)));
    }
    return bytes;
  }

  void succeeded() {
    running.succeeded();
  }

  @Override
  public void close() {
    try (running) {
      agents.close();
    }
  }
}
