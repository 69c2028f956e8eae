package io.orchestra.hadoop.testbed.bench.prefetch;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.agent.PacedTextInputFormat;
import io.orchestra.hadoop.testbed.bench.BenchRun;
import io.orchestra.hadoop.testbed.bench.Links;
import io.orchestra.hadoop.testbed.bench.cluster.BenchCluster;
import io.orchestra.hadoop.testbed.bench.cluster.Submission;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.TrafficHelpers;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Role;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.LinkCounters;
import io.orchestra.hadoop.testbed.network.Rate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The cluster of this benchmark: its scheduler changes, and it runs schedules of jobs. */
final class PrefetchTestbed implements AutoCloseable {
  static final int RACKS = 2;
  static final int HOSTS_PER_RACK = 2;
  static final Rate HOST_RATE = Rate.parse("25mbit");

  /** Racks' links carry all that their hosts' do, as in the paper. */
  static final Rate UPLINK_RATE = Rate.parse("50mbit");

  /** What a map works on in a second: 1.6 times what a host's link carries. */
  static final long MAP_BYTES_PER_SECOND = (long) HOST_RATE.bytesPerSecond() * 8 / 5;

  /** What all of them together work on. */
  static final long BYTES_PER_SECOND = MAP_BYTES_PER_SECOND * RACKS * HOSTS_PER_RACK;

  private static final String REPORT = "http://m1:8088/orchestra/prefetch";
  private static final int LONGEST_START = 60;
  private static final Duration LONGEST_JOB = Duration.ofMinutes(15);

  private static final List<Setting> SETTINGS =
      ImmutableList.<Setting>builder()
          .add(
              new Setting(Site.HDFS, "dfs.replication", "2"),
              // With few hosts and files that are put one after the other it is always uneven.
              new Setting(Site.HDFS, "dfs.namenode.redundancy.considerLoad", "false"),
              // A block of the full mix takes 43 s over a link of its own, which it seldom has.
              new Setting(Site.YARN, "orchestra.prefetch.horizon", "75s"),
              // Otherwise who finds no ResourceManager looks again after half a minute, and whether
              // that is before it has started decides more than what is compared.
              new Setting(Site.YARN, "yarn.resourcemanager.connect.retry-interval.ms", "1000"),
              new Setting(
                  Site.MAPRED, PacedTextInputFormat.RATE, Long.toString(MAP_BYTES_PER_SECOND)),
              new Setting(Site.MAPRED, "mapreduce.map.speculative", "false"),
              new Setting(Site.MAPRED, "mapreduce.reduce.speculative", "false"),
              // A reduce that waits for maps would keep a container from an application master.
              new Setting(Site.MAPRED, "mapreduce.job.reduce.slowstart.completedmaps", "0.9"))
          .build();

  private final BenchCluster bench;

  /** With the scheduler that foretells wrongly, which belongs to no plugin. */
  private final Path schedulers;

  /** For all arms. */
  private final List<Setting> settings;

  private Optional<TrafficHelpers> helpers = Optional.empty();

  private PrefetchTestbed(BenchCluster bench, Path schedulers, List<Setting> settings) {
    this.bench = bench;
    this.schedulers = schedulers;
    this.settings = settings;
  }

  /**
   * @param resources of hosts and tasks
   */
  static PrefetchTestbed up(BenchRun run, List<Setting> resources) {
    List<Setting> settings =
        ImmutableList.<Setting>builder().addAll(resources).addAll(SETTINGS).build();
    // Fails before there is a cluster.
    Path schedulers = run.project().schedulerPrograms();
    return new PrefetchTestbed(
        BenchCluster.up(
            run,
            ClusterSpec.of("bench-prefetch", RACKS, HOSTS_PER_RACK, HOST_RATE, UPLINK_RATE)
                .withHadoop(run.options().hadoopVersion())
                .with(List.of(Plugin.PREFETCH), settings)),
        schedulers,
        settings);
  }

  BenchCluster bench() {
    return bench;
  }

  /** Makes files of one block, over fast links: what is not measured need not wait. */
  void write(InputFiles files, int count, int bytes) {
    bench.fresh(files.directory());
    bench.rates(Rate.UNLIMITED, Rate.UNLIMITED);
    for (int file = 0; file < count; file++) {
      List<String> hosts = files.hosts(file, bench.cluster().plan());
      String unused = bench.put("text", files.path(file), bytes, file, hosts);
    }
    bench.rates(HOST_RATE, UPLINK_RATE);
  }

  /** From now on this schedules, and nobody remembers what was before. */
  void schedule(Scheduling scheduling) {
    closeHelpers();
    bench.emptyDirectory();
    restartDataNodes(scheduling.settings());
    configure(scheduling.plugins(), scheduling.settings());
    Host master = bench.cluster().plan().firstMaster();
    bench.cluster().daemons().kill(master, Daemon.RESOURCEMANAGER);
    // Otherwise one that recovers would begin with the applications of an earlier trial.
    FileTree.delete(
        bench.cluster().directory().host(master.name()).resolve("tmp/" + Scheduling.STATE_STORE));
    Path jar =
        bench.cluster().directory().jars(Role.RESOURCEMANAGER).resolve(schedulers.getFileName());
    if (scheduling.isMisled()) {
      FileTree.copy(schedulers, jar);
    } else {
      FileTree.delete(jar);
    }
    bench.cluster().daemons().start(master, Daemon.RESOURCEMANAGER);
    bench.running().awaitWorkers();
    if (scheduling.isGuaranteed()) {
      helpers = Optional.of(TrafficHelpers.start(bench.running()));
    }
  }

  private void closeHelpers() {
    Optional<TrafficHelpers> last = helpers;
    helpers = Optional.empty();
    last.ifPresent(TrafficHelpers::close);
  }

  private void configure(List<Plugin> plugins, List<Setting> more) {
    bench
        .running()
        .reconfigure(
            plugins,
            ImmutableList.<Setting>builder()
                .addAll(settings)
                // Tasks read lines as programs of this command do.
                .add(bench.taskClassPath())
                .addAll(more)
                .build());
  }

  /**
   * They have the plugin whoever schedules, also if one starts again later, and nothing is left of
   * what was brought before.
   */
  private void restartDataNodes(List<Setting> more) {
    configure(List.of(Plugin.PREFETCH), more);
    bench.running().keepConfiguration(Daemon.DATANODE);
    bench.workers().forEach(host -> bench.running().faults().restart(host, Daemon.DATANODE));
    awaitDaemons();
  }

  /** Returns once every DataNode has the plugin at work. */
  void awaitDaemons() {
    Waiting.until(
        () -> bench.workers().stream().allMatch(host -> daemonMetrics(host).isPresent()),
        "the daemons of all DataNodes",
        LONGEST_START);
  }

  /** Runs jobs, each at its time, to the end of the last; returns the exit status of each. */
  Map<String, Integer> run(List<Submission> jobs) {
    return bench.run(jobs, LONGEST_JOB);
  }

  static String output(String job) {
    return BenchCluster.DIRECTORY + "/" + job;
  }

  /** What a job has written. */
  String checksum(String job) {
    return bench.checksum(output(job));
  }

  /** What our coordinator tells; empty where there is none. Fails if nobody answers. */
  Optional<JsonNode> report() {
    return bench.cluster().web().page(REPORT);
  }

  /** Returns once our coordinator tells something. */
  void awaitReport() {
    Waiting.until(
        () -> bench.cluster().web().json(REPORT).isPresent(),
        "the page of the coordinator",
        LONGEST_START);
  }

  /** What the daemons of all workers have brought so far, by the names of their metrics. */
  Map<String, Long> broughtBytes() {
    Map<String, Long> sums = new LinkedHashMap<>();
    for (String host : bench.workers()) {
      JsonNode metrics =
          daemonMetrics(host)
              .orElseThrow(() -> new TestbedException("no metrics of the DataNode on " + host));
      for (String name :
          List.of(
              "BytesCopied",
              "BytesUsed",
              "BytesWasted",
              "ConfirmedBytesUsed",
              "ConfirmedBytesWasted")) {
        sums.merge(name, metrics.path(name).asLong(), Long::sum);
      }
    }
    return sums;
  }

  private Optional<JsonNode> daemonMetrics(String host) {
    return bench
        .cluster()
        .web()
        .bean("http://" + host + ":9864", "DataNode,name=OrchestraPrefetchDaemon")
        .filter(bean -> !bean.isMissingNode());
  }

  /** What comes down to each worker. */
  Links links() {
    Map<String, Double> capacities = new LinkedHashMap<>();
    bench.workers().forEach(host -> capacities.put(host, HOST_RATE.bytesPerSecond()));
    return Links.of(
        () -> {
          Map<String, LinkCounters.LinkBytes> counters = bench.cluster().linkCounters().read();
          Map<String, Long> bytes = new LinkedHashMap<>();
          bench.workers().forEach(host -> bytes.put(host, counters.get(host).down()));
          return bytes;
        },
        capacities);
  }

  /** Bytes that have come down to a worker so far. */
  long received(String host) {
    return bench.cluster().linkCounters().read().get(host).down();
  }

  JobHistory history() {
    return new JobHistory(bench.historyServer());
  }

  void succeeded() {
    bench.succeeded();
  }

  @Override
  public void close() {
    try (bench) {
      closeHelpers();
    }
  }
}
