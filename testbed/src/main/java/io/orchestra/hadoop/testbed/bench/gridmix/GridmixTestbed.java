package io.orchestra.hadoop.testbed.bench.gridmix;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.testbed.Opened;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.agent.SeededGridmix;
import io.orchestra.hadoop.testbed.bench.Links;
import io.orchestra.hadoop.testbed.bench.cluster.BenchCluster;
import io.orchestra.hadoop.testbed.bench.cluster.DirectedLinks;
import io.orchestra.hadoop.testbed.bench.cluster.EndedJob;
import io.orchestra.hadoop.testbed.bench.cluster.LocalizationLog;
import io.orchestra.hadoop.testbed.bench.cluster.MapSlots;
import io.orchestra.hadoop.testbed.bench.sample.ProcessTimes;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.cluster.HostDaemons;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.LinkCounters;
import io.orchestra.hadoop.testbed.network.Rate;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import io.orchestra.hadoop.testbed.process.RunningProcess;
import io.orchestra.hadoop.testbed.trace.Trace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The cluster that GridMix loads: plugins change, what HDFS has stored stays. */
final class GridmixTestbed implements AutoCloseable {
  static final int RACKS = 3;
  static final int HOSTS_PER_RACK = 3;

  /**
   * How fast links are.
   *
   * @param host each host's
   * @param uplink each rack's, half of what its hosts could send together
   */
  record LinkRates(Rate host, Rate uplink) {
    /** So slow that processors are not what all waits for. */
    static final LinkRates MEASURED = new LinkRates(Rate.parse("6mbit"), Rate.parse("9mbit"));

    /** For a run that shows that all works. */
    static final LinkRates QUICK = new LinkRates(Rate.parse("18mbit"), Rate.parse("27mbit"));
  }

  static final int BLOCK_BYTES = 32 << 20;

  /** Of inputs; few, as hosts are. */
  static final int REPLICAS = 2;

  /** Bytes of the files that jobs read from, all together: three blocks a host. */
  private static final long POOL_BYTES = 3L * RACKS * HOSTS_PER_RACK * BLOCK_BYTES;

  /**
   * A job's distributed-cache files have ten replicas by default, more than there are hosts here.
   */
  static final int SUBMITTED_REPLICAS = 3;

  private static final String CONTAINERS = "container";

  /** The class implements what only GridMix has, which this command does not load. */
  static final String EMULATOR = "io.orchestra.hadoop.testbed.agent.WaitingCpuEmulator";

  private static final String HOME = "/gridmix";
  private static final String WORK = HOME + "/work";
  private static final String TRACE = "tmp/bench-gridmix/trace.json";
  private static final String SETUP_TRACE = "tmp/bench-gridmix/setup.json";
  private static final int HEAP_MEGABYTES = 300;
  private static final Duration LONGEST_RUN = Duration.ofMinutes(25);

  private static final List<Setting> SETTINGS =
      ImmutableList.<Setting>builder()
          .addAll(MapSlots.ONE_A_HOST)
          .add(
              new Setting(Site.HDFS, "dfs.blocksize", Integer.toString(BLOCK_BYTES)),
              // After a restart blocks of whom the NameNode has not heard yet would be copied anew.
              new Setting(
                  Site.HDFS,
                  "dfs.namenode.safemode.min.datanodes",
                  Integer.toString(RACKS * HOSTS_PER_RACK)),
              new Setting(Site.HDFS, "dfs.namenode.safemode.extension", "5000"),
              new Setting(
                  Site.MAPRED,
                  "mapreduce.client.submit.file.replication",
                  Integer.toString(SUBMITTED_REPLICAS)),
              // A block takes 45 s over a link of its own, which it seldom has.
              new Setting(Site.YARN, "orchestra.prefetch.horizon", "100s"),
              // Containers wait for their jobs' files: meanwhile links have room for their input.
              new Setting(Site.YARN, "orchestra.prefetch.confirmed", "true"),
              new Setting(Site.MAPRED, "mapreduce.map.speculative", "false"),
              new Setting(Site.MAPRED, "mapreduce.reduce.speculative", "false"),
              // A reduce that waits for maps would keep a container from them.
              new Setting(Site.MAPRED, "mapreduce.job.reduce.slowstart.completedmaps", "0.9"))
          .build();

  /** What GridMix leaves out: it is about the network, and the trace is of a cluster as this. */
  private static final List<String> GRIDMIX_SETTINGS =
      List.of(
          "gridmix.emulators.resource-usage.plugins=" + EMULATOR,
          "gridmix.compression-emulation.enable=false",
          "gridmix.highram-emulation.enable=false",
          "gridmix.task.jvm-options.enable=false",
          "gridmix.min.file.size=1048576",
          "gridmix.gen.blocksize=" + BLOCK_BYTES,
          "gridmix.gen.bytes.per.file=" + BLOCK_BYTES,
          "gridmix.gen.replicas=" + REPLICAS,
          // Jobs choose their files one after the other, in the order of the trace.
          "gridmix.client.submit.threads=1",
          // Four jobs for nine hosts, as GridMix counts them. With its default, one a host, it lets
          // more in the faster tasks are, and mean times of arms are not comparable.
          "gridmix.throttle.jobs-to-tracker-ratio=0.45");

  private final BenchCluster bench;
  private final LinkRates rates;
  private Way way = Way.STOCK;

  private GridmixTestbed(BenchCluster bench, LinkRates rates) {
    this.bench = bench;
    this.rates = rates;
  }

  /** A stock cluster. */
  static GridmixTestbed up(
      TestbedHome home,
      Project project,
      Progress progress,
      String hadoopVersion,
      LinkRates rates,
      List<Setting> settings) {
    ClusterSpec spec =
        ClusterSpec.of("bench-gridmix", RACKS, HOSTS_PER_RACK, rates.host(), rates.uplink())
            .withHadoop(hadoopVersion)
            .with(SETTINGS)
            .overriddenBy(settings);
    return Opened.prepared(
        new GridmixTestbed(BenchCluster.up(home, project, progress, spec), rates),
        testbed -> testbed.configure(Way.STOCK));
  }

  BenchCluster bench() {
    return bench;
  }

  /** While links are fast, has GridMix generate the files that jobs of a trace read and share. */
  void generate(Trace trace, Progress progress) {
    write(TRACE, trace);
    write(SETUP_TRACE, trace.forGeneration());
    fast(true);
    bench.emptyDirectory();
    bench.fresh(HOME);
    progress.say("GridMix generates %d MB of input".formatted(POOL_BYTES >> 20));
    gridmix(1, "REPLAY", List.of("-generate", Long.toString(POOL_BYTES)), SETUP_TRACE);
    fast(false);
  }

  /** All links fast, or as they are to be. */
  void fast(boolean yes) {
    bench.rates(yes ? BenchCluster.FAST : rates.host(), yes ? BenchCluster.FAST : rates.uplink());
  }

  /** Has exactly these plugins on, in daemons that have just started; earlier outputs are gone. */
  void use(Way next) {
    if (next != way) {
      configure(next);
      way = next;
    }
    bench.running().restart();
    bench.emptyDirectory();
  }

  private void configure(Way next) {
    bench
        .running()
        .reconfigure(
            next.plugins(),
            ImmutableList.<Setting>builder()
                .addAll(SETTINGS)
                // Tasks compute as this command has them.
                .add(bench.taskClassPath())
                .build());
  }

  /** Runs all jobs of the trace, as GridMix submits them under a policy. */
  void run(String policy, long seed) {
    gridmix(seed, policy, List.of(), TRACE);
  }

  private void gridmix(long seed, String policy, List<String> options, String trace) {
    List<String> words = new ArrayList<>(List.of(Long.toString(seed)));
    words.add("-libjars");
    words.add(rumen());
    GRIDMIX_SETTINGS.forEach(setting -> words.add("-D" + setting));
    words.add("-Dgridmix.job-submission.policy=" + policy);
    words.add("-Dgridmix.output.directory=" + BenchCluster.DIRECTORY + "/out");
    words.addAll(options);
    words.add(WORK);
    words.add("file:///" + trace);
    Path log =
        bench
            .cluster()
            .directory()
            .logs(bench.cluster().plan().firstMaster().name())
            .resolve("gridmix.log");
    int status =
        HadoopClient.onFirstMaster(bench.cluster(), Account.ALICE)
            .ours(SeededGridmix.class, HEAP_MEGABYTES, words)
            .within(LONGEST_RUN)
            .run(log);
    if (status != 0) {
      throw new TestbedException("GridMix failed with status %d; see %s".formatted(status, log));
    }
  }

  private String rumen() {
    return bench.cluster().state().hadoop().toolJars().stream()
        .filter(jar -> jar.getFileName().toString().startsWith("hadoop-rumen"))
        .findFirst()
        .orElseThrow(() -> new TestbedException("this Hadoop has no hadoop-rumen jar"))
        .toUri()
        .toString();
  }

  /** Where the first master sees {@code /PATH}. */
  Path onMaster(String path) {
    return bench
        .cluster()
        .directory()
        .host(bench.cluster().plan().firstMaster().name())
        .resolve(path);
  }

  private void write(String path, Trace trace) {
    Path file = onMaster(path);
    FileTree.directory(file.getParent());
    FileTree.write(file, trace.text());
  }

  /**
   * Jobs of GridMix that were started at this time or later, once there are so many.
   *
   * @param since milliseconds since 1970
   */
  List<EndedJob> ended(long since, int count) {
    return bench.historyServer().jobs(since, JobFigures::isOfTrace, count);
  }

  PluginWork pluginWork() {
    return PluginWork.read(bench.cluster().web()::page, bench::bean, bench.workers());
  }

  /** Blocks that DataNodes have copied for the NameNode since they started. */
  long blocksCopied() {
    return bench.workers().stream()
        .map(host -> bench.bean("http://" + host + ":9864", "DataNode,name=DataNodeActivity-*"))
        .mapToLong(bean -> bean.required("BlocksReplicated").asLong())
        .sum();
  }

  /** Bytes that left racks since the network was built. */
  long acrossRacks() {
    Map<String, LinkCounters.LinkBytes> links = bench.cluster().linkCounters().read();
    return bench.cluster().plan().rackNames().stream()
        .mapToLong(rack -> links.get(rack).up())
        .sum();
  }

  /**
   * Seconds of processors that daemons have used since they started, by their kind, and containers
   * that have ended.
   */
  Map<String, Double> processorTimes() {
    HostDaemons daemons = bench.cluster().daemons();
    ProcessTable table = ProcessTable.ofThisMachine();
    List<RunningProcess> processes = table.all();
    Map<String, Double> seconds = new TreeMap<>();
    for (Host host : bench.cluster().plan().hosts()) {
      for (Daemon daemon : Daemon.values()) {
        daemons
            .find(processes, host, daemon)
            .map(process -> ProcessTimes.of(table.directory(process)))
            .ifPresent(
                times -> {
                  seconds.merge(daemon.daemonName(), times.own(), Double::sum);
                  if (daemon == Daemon.NODEMANAGER) {
                    seconds.merge(CONTAINERS, times.ended(), Double::sum);
                  }
                });
      }
    }
    return seconds;
  }

  /** Seconds that containers took to be localized since the ResourceManager started. */
  List<Double> localizations(long start) {
    List<Double> seconds = new ArrayList<>();
    for (String host : bench.workers()) {
      LocalizationLog.read(bench.cluster().directory(), host, "application_" + start)
          .containers()
          .values()
          .forEach(span -> seconds.add(span.seconds()));
    }
    return seconds.stream().sorted().toList();
  }

  /** When the ResourceManager started, as ids of applications tell it. */
  long start() {
    return bench
        .cluster()
        .web()
        .json("http://m1:8088/ws/v1/cluster/info")
        .map(info -> info.path("clusterInfo").path("startedOn").asLong())
        .orElseThrow(() -> new TestbedException("the ResourceManager does not answer"));
  }

  /** Both directions of all hosts' and racks' links. */
  Links links() {
    LinkCounters counters = bench.cluster().linkCounters();
    Map<String, Double> capacities =
        new LinkedHashMap<>(DirectedLinks.capacities(bench.workers(), rates.host()));
    Map<String, Double> racks =
        DirectedLinks.capacities(bench.cluster().plan().rackNames(), rates.uplink());
    List<String> hosts = List.copyOf(capacities.keySet());
    capacities.putAll(racks);
    return Links.of(() -> DirectedLinks.bytes(counters.read()), capacities)
        .withGroup("hosts", hosts)
        .withGroup("racks", List.copyOf(racks.keySet()));
  }

  void succeeded() {
    bench.succeeded();
  }

  @Override
  public void close() {
    bench.close();
  }
}
