package io.orchestra.hadoop.testbed.demo;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.cluster.ClusterLock;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.HadoopHomes;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.network.Rate;
import io.orchestra.hadoop.testbed.process.SignalScope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** Runs the same stock jobs on a stock cluster and on one with our plugins, and compares. */
public final class Demo {
  private static final String CLUSTER = "demo";

  /** Prefetches need a cluster without free slots, which the demo is not. */
  private static final List<Plugin> PLUGINS =
      Arrays.stream(Plugin.values()).filter(plugin -> plugin != Plugin.PREFETCH).toList();

  /** Blocks as large as the placement plugin wants before it looks at links. */
  private static final Setting BLOCK_SIZE = new Setting(Site.HDFS, "dfs.blocksize", "16m");

  private final TestbedHome home;
  private final Project project;
  private final Progress progress;
  private final DemoSize size;
  private final boolean inProcess;

  public Demo(
      TestbedHome home, Project project, Progress progress, DemoSize size, boolean inProcess) {
    this.home = home;
    this.project = project;
    this.progress = progress;
    this.size = size;
    this.inProcess = inProcess;
  }

  /** Runs everything on this Hadoop and returns what came out; one at a time in a home. */
  private DemoReport run(String hadoopVersion) {
    home.prepareDirectories();
    try (SignalScope signals = SignalScope.begin();
        ClusterLock lock = ClusterLock.take(home.demoLock(), "running the demo")) {
      return runAlone(hadoopVersion);
    }
  }

  private DemoReport runAlone(String hadoopVersion) {
    HadoopHome hadoop = new HadoopHomes(home, progress).ofVersion(hadoopVersion);
    Path logs = FileTree.directory(home.root().resolve("demo"));
    List<Step> steps =
        Step.all(new Corpus(home.corpus(hadoopVersion)).files(hadoop, size.files()), size.rows());
    List<String> leftovers = new ArrayList<>();
    Arm stock = arm("stock", List.of(), hadoop, steps, logs, leftovers);
    Arm second = arm("plugins", PLUGINS, hadoop, steps, logs, leftovers);
    return new DemoReport(where(hadoopVersion), PLUGINS, steps, stock, second, leftovers);
  }

  /** Runs everything, prints the report, and returns whether all is well. */
  public boolean runAndPrint(String hadoopVersion) {
    DemoReport report = run(hadoopVersion);
    System.out.print(report.text());
    return report.failures().isEmpty();
  }

  private Arm arm(
      String name,
      List<Plugin> plugins,
      HadoopHome hadoop,
      List<Step> steps,
      Path logs,
      List<String> leftovers) {
    Path log = logs.resolve(name + ".log");
    FileTree.write(log, "");
    progress.say(name + ": starting a cluster; what clients print goes to " + log);
    DemoCluster cluster = start(plugins, hadoop);
    return runAndClose(
        cluster,
        () -> Arm.run(name, cluster, steps, plugins.contains(Plugin.PLACEMENT), log, progress),
        leftovers);
  }

  /** A cluster on which something has failed keeps its logs. */
  static Arm runAndClose(DemoCluster cluster, Supplier<Arm> steps, List<String> leftovers) {
    Arm arm;
    try (cluster) {
      arm = steps.get();
      cluster.succeeded();
    }
    leftovers.addAll(cluster.leftovers());
    return arm;
  }

  private DemoCluster start(List<Plugin> plugins, HadoopHome hadoop) {
    if (inProcess) {
      return InProcessCluster.start(home, project, hadoop, plugins, List.of(BLOCK_SIZE));
    }
    ClusterSpec spec =
        ClusterSpec.of(CLUSTER, 3, 2, Rate.parse("100mbit"), Rate.parse("400mbit"))
            .withHadoop(hadoop.version())
            .with(plugins, List.of(BLOCK_SIZE));
    return EmulatedCluster.start(home, project, spec, progress);
  }

  private String where(String hadoopVersion) {
    return inProcess
        ? "Hadoop " + hadoopVersion + ", all daemons in one process, links not shaped"
        : "Hadoop " + hadoopVersion + ", 3 racks of 2 hosts, links 100mbit, uplinks 400mbit";
  }
}
