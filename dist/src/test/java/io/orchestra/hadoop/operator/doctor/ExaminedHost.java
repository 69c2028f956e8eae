package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.operator.StandInHome;
import io.orchestra.hadoop.operator.StandInRelease;
import io.orchestra.hadoop.operator.doctor.Finding.Level;
import io.orchestra.hadoop.operator.install.HadoopHome;
import io.orchestra.hadoop.operator.install.Installer;
import io.orchestra.hadoop.operator.install.Release;
import io.orchestra.hadoop.operator.install.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

/** A home with placement installed and configured; what it is configured by may be changed. */
final class ExaminedHost {
  static final String COLLECTOR = "io.orchestra.hadoop.placement.LinkCollector";
  static final String REPORTER = "io.orchestra.hadoop.placement.LinkReporter";
  static final String ACCESSOR = "io.orchestra.hadoop.core.blockcache.LocalReplicaAccessorBuilder";
  static final String AGENT = "io.orchestra.hadoop.prefetch.PrefetchAgent";
  static final String PREFETCH_DAEMON = "io.orchestra.hadoop.prefetch.PrefetchDaemon";
  static final String TRACKER = "io.orchestra.hadoop.broadcast.SwarmTracker";
  static final String PEER = "io.orchestra.hadoop.broadcast.SwarmPeer";
  private static final String CONSUMER = "io.orchestra.hadoop.shuffle.WeightedShuffle";
  private static final String POLICY = "io.orchestra.hadoop.placement.NetworkAwarePlacementPolicy";

  private final Path directory;
  private final StandInHome home;
  private final Map<String, String> hdfs = new HashMap<>();
  private final Map<String, String> yarn = new HashMap<>();
  private final Map<String, String> mapred = new HashMap<>();
  private Optional<Path> framework = Optional.empty();

  ExaminedHost(Path directory) throws IOException {
    this(directory, EnumSet.of(Role.NAMENODE, Role.DATANODE));
  }

  /** One with other roles. */
  static ExaminedHost with(Path directory, Role... roles) throws IOException {
    return new ExaminedHost(directory, Set.of(roles));
  }

  private ExaminedHost(Path directory, Set<Role> roles) throws IOException {
    this.directory = directory;
    home = new StandInHome(directory.resolve("hadoop"), "3.5.0");
    Release release = StandInRelease.make(directory.resolve("release"), "1.0", "");
    classes(release.jar(Role.NAMENODE), COLLECTOR, POLICY, TRACKER, ACCESSOR);
    classes(release.jar(Role.DATANODE), REPORTER, PEER, PREFETCH_DAEMON, ACCESSOR);
    classes(release.jar(Role.CLIENT), CONSUMER, AGENT, ACCESSOR);
    List<String> unused =
        new Installer(release, HadoopHome.open(home.root())).install(roles, false);
    hdfs.put("dfs.namenode.plugins", COLLECTOR);
    hdfs.put("dfs.block.replicator.classname", POLICY);
    hdfs.put("dfs.datanode.plugins", "org.example.Theirs, " + REPORTER);
    yarn.put("yarn.nodemanager.env-whitelist", "JAVA_HOME,HADOOP_MAPRED_HOME");
    mapred.put(
        "mapreduce.application.classpath",
        "$HADOOP_MAPRED_HOME/share/hadoop/mapreduce/*,$HADOOP_MAPRED_HOME/orchestra/current/orchestra-client.jar");
  }

  StandInHome home() {
    return home;
  }

  /** The properties of {@code hdfs-site.xml}. */
  Map<String, String> hdfs() {
    return hdfs;
  }

  Map<String, String> yarn() {
    return yarn;
  }

  Map<String, String> mapred() {
    return mapred;
  }

  /** Puts classes on the class path of all that scripts start. */
  void classesForAll(String... names) throws IOException {
    Path more = directory.resolve("more.jar");
    classes(more, names);
    home.write("etc/hadoop/hadoop-env.sh", "HADOOP_CLASSPATH=" + more + "\n");
  }

  /** What {@code --framework} names. */
  void framework(Path directory) {
    framework = Optional.of(directory);
  }

  /** Looks at roles, those installed if none is named. */
  Findings examine(Role... roles) throws IOException, InterruptedException {
    return examine(false, roles);
  }

  Findings examine(boolean live, Role... roles) throws IOException, InterruptedException {
    home.configured("hdfs-site.xml", hdfs)
        .configured("yarn-site.xml", yarn)
        .configured("mapred-site.xml", mapred);
    return new Examination(
            HadoopHome.open(home.root()), home.configuration(), framework, new Findings())
        .run(Set.of(roles), live);
  }

  List<Finding> problems(Role... roles) throws IOException, InterruptedException {
    return examine(roles).all().stream()
        .filter(finding -> finding.level() == Level.PROBLEM)
        .toList();
  }

  static List<String> texts(Findings findings, Level level) {
    return findings.all().stream()
        .filter(finding -> finding.level() == level)
        .map(Finding::text)
        .toList();
  }

  /** A jar with empty files for classes. */
  static void classes(Path jar, String... names) throws IOException {
    try (JarOutputStream stream = new JarOutputStream(Files.newOutputStream(jar))) {
      for (String name : names) {
        stream.putNextEntry(new ZipEntry(name.replace('.', '/') + ".class"));
      }
    }
  }
}
