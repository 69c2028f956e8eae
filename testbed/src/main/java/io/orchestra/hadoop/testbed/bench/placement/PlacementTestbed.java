package io.orchestra.hadoop.testbed.bench.placement;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.Range;
import io.orchestra.hadoop.testbed.Opened;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.agent.TrafficSource;
import io.orchestra.hadoop.testbed.bench.BenchRun;
import io.orchestra.hadoop.testbed.bench.cluster.Agents;
import io.orchestra.hadoop.testbed.bench.cluster.BenchCluster;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The cluster of this benchmark: changes who places replicas, and loads links, while it runs. */
final class PlacementTestbed implements AutoCloseable {
  static final String DIRECTORY = BenchCluster.DIRECTORY;
  private static final String COLLECTOR = "m1:8120";
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(60);
  private static final int LONGEST_REPORT_SECONDS = 30;

  /** More than the time after which the oracle's last report is forgotten. */
  private static final Duration SETTLE = Duration.ofSeconds(6);

  private final BenchCluster bench;
  private final HostProgram source;
  private final Path excluded;

  private PlacementTestbed(BenchCluster bench, HostProgram source, Path excluded) {
    this.bench = bench;
    this.source = source;
    this.excluded = excluded;
  }

  static PlacementTestbed up(BenchRun run, boolean yarn) {
    Path excluded = run.home().cluster("bench-placement").root().resolve("etc/excluded");
    ClusterSpec spec =
        ClusterSpec.of(
                "bench-placement",
                Sizes.RACKS,
                Sizes.HOSTS_PER_RACK,
                Sizes.HOST_RATE,
                Sizes.UPLINK_RATE)
            .withHadoop(run.options().hadoopVersion())
            .withYarn(yarn)
            .with(List.of(Plugin.PLACEMENT), settings(Policy.DEFAULT, excluded));
    return Opened.then(
        BenchCluster.up(run, spec),
        bench -> {
          FileTree.write(excluded, "");
          HostProgram source =
              bench.agents().onMaster(Account.ALICE, "bench-traffic", TrafficSource.class);
          return new PlacementTestbed(bench, source, excluded);
        });
  }

  private static List<Setting> settings(Policy policy, Path excluded) {
    return List.of(
        policy.setting(), new Setting(Site.HDFS, "dfs.hosts.exclude", excluded.toString()));
  }

  BenchCluster bench() {
    return bench;
  }

  Cluster cluster() {
    return bench.cluster();
  }

  Agents agents() {
    return bench.agents();
  }

  List<String> workers() {
    return bench.workers();
  }

  /** Empties the benchmark's directory and has this policy place from now on. */
  void place(Policy policy) {
    bench.emptyDirectory();
    bench.running().reconfigure(List.of(Plugin.PLACEMENT), settings(policy, excluded));
    String unused =
        agents().master("reconfigure " + BenchCluster.NAMENODE, "reconfigured", LONGEST_ANSWER);
    bench.dfsadmin(
        "-refresh %s orchestra-placement %s"
            .formatted(BenchCluster.NAMENODE, String.join(" ", policy.liveSettings())));
  }

  /** Leaves these hosts' DataNodes out of all placements, and no others. */
  void exclude(Collection<String> hosts) {
    FileTree.write(excluded, hosts.stream().map(host -> host + "\n").collect(Collectors.joining()));
    bench.dfsadmin("-refreshNodes");
  }

  BackgroundTraffic load(BackgroundSchedule schedule) {
    return BackgroundTraffic.start(
        source, schedule, Sizes.FLOWS, Sizes.BACKGROUND_BYTES_PER_SECOND);
  }

  /** From now on all links are reported as the schedule will load them. */
  void foretell(BackgroundSchedule schedule, long startMillis, Duration horizon) {
    Map<String, String> uuids = Agents.pairs(agents().master("nodes", "nodes", LONGEST_ANSWER));
    agents()
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
    agents()
        .all(workers(), "heard", "heard ", LONGEST_ANSWER)
        .forEach((host, counts) -> hosts.put(host, OracleReports.Count.parse(counts)));
    return new OracleReports(hosts);
  }

  /** From now on DataNodes report what they measure, once the last false report is forgotten. */
  void endForetelling() {
    agents().workers().values().forEach(agent -> agent.send("honest"));
  }

  /** Waits until reports have come from all DataNodes, and a few more for the averages. */
  void settle() {
    Waiting.until(
        () -> report().path("coverage").asDouble() >= 1,
        "link reports of all DataNodes",
        LONGEST_REPORT_SECONDS);
    Waiting.sleep(SETTLE, "a few more reports");
  }

  /** What the plugin in the NameNode tells. */
  JsonNode report() {
    return bench.report("/orchestra/placement");
  }

  /** Background traffic that has come to all workers, bytes. */
  long backgroundBytes() {
    return agents().all(workers(), "traffic", "traffic ", LONGEST_ANSWER).values().stream()
        .mapToLong(Long::parseLong)
        .sum();
  }

  void succeeded() {
    bench.succeeded();
  }

  @Override
  public void close() {
    try (bench) {
      source.close();
    }
  }
}
