package io.orchestra.hadoop.operator.doctor;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Set;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExaminationTest {
  private static final String COLLECTOR = "io.orchestra.hadoop.placement.LinkCollector";
  private static final String POLICY = "io.orchestra.hadoop.placement.NetworkAwarePlacementPolicy";
  private static final String REPORTER = "io.orchestra.hadoop.placement.LinkReporter";
  private static final String DAEMON = "io.orchestra.hadoop.prefetch.PrefetchDaemon";
  private static final String AGENT = "io.orchestra.hadoop.prefetch.PrefetchAgent";
  private static final String SCHEDULER = "io.orchestra.hadoop.prefetch.FlexFetchScheduler";
  private static final String HANDLER = "io.orchestra.hadoop.shuffle.WeightedShuffleHandler";
  private static final String ACCESSOR =
      "io.orchestra.hadoop.core.blockcache.LocalReplicaAccessorBuilder";

  @TempDir private Path directory;

  private final Map<String, String> hdfs = new HashMap<>();
  private final Map<String, String> yarn = new HashMap<>();
  private final Map<String, String> mapred = new HashMap<>();
  private StandInHome home;

  @BeforeEach
  void placementIsInstalledAndConfigured() throws IOException {
    home = new StandInHome(directory.resolve("hadoop"), "3.5.0");
    Release release = StandInRelease.make(directory.resolve("release"), "1.0", "");
    classes(release.jar(Role.NAMENODE), COLLECTOR, POLICY, ACCESSOR);
    classes(release.jar(Role.DATANODE), REPORTER, ACCESSOR);
    classes(release.jar(Role.CLIENT), ACCESSOR);
    List<String> unused =
        new Installer(release, HadoopHome.open(home.root()))
            .install(EnumSet.of(Role.NAMENODE, Role.DATANODE), false);
    hdfs.put("dfs.namenode.plugins", COLLECTOR);
    hdfs.put("dfs.block.replicator.classname", POLICY);
    hdfs.put("dfs.datanode.plugins", "org.example.Theirs, " + REPORTER);
    mapred.put(
        "mapreduce.application.classpath",
        "$HADOOP_MAPRED_HOME/share/hadoop/mapreduce/*,$HADOOP_MAPRED_HOME/orchestra/current/orchestra-client.jar");
  }

  @Test
  void nothingIsWrongWithARightInstallation() throws IOException, InterruptedException {
    Findings findings = examine();

    assertThat(findings.exitStatus()).isZero();
    assertThat(texts(findings, Level.OK))
        .contains(
            "Hadoop 3.5.0 in " + home.root(),
            "namenode: 2 classes of ours on its class path, each once",
            "datanode: 1 class of ours on its class path, each once",
            "hdfs-placement: on")
        .anyMatch(text -> text.startsWith("Orchestra 1.0-"))
        .anyMatch(text -> text.matches("Java \\d+, as Hadoop's scripts find it"));
    assertThat(texts(findings, Level.NOTE))
        .containsExactly(
            "broadcast-cache: off, the configuration does not name it",
            "mapreduce-shuffle: off, the configuration does not name it",
            "prefetch-scheduler: off, the configuration does not name it");
  }

  @Test
  void aClassThatNoJarHasIsAProblemThatSaysWhatWillNotStart()
      throws IOException, InterruptedException {
    hdfs.put("dfs.datanode.plugins", REPORTER + "x");

    assertThat(problems())
        .anySatisfy(
            problem -> {
              assertThat(problem.text())
                  .isEqualTo(
                      "datanode: %sx, which dfs.datanode.plugins names, is not on its class path: the DataNode does not start"
                          .formatted(REPORTER));
              assertThat(problem.remedy()).contains("install").contains("--role datanode");
            });
    assertThat(examine().exitStatus()).isEqualTo(1);
  }

  @Test
  void aClassThatIsThereTwiceIsAProblemThatSaysWhere() throws IOException, InterruptedException {
    Path copy = directory.resolve("copy.jar");
    classes(copy, COLLECTOR);
    home.write("etc/hadoop/hadoop-env.sh", "HADOOP_CLASSPATH=" + copy + "\n");

    assertThat(problems())
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.text())
                    .contains("namenode: " + COLLECTOR)
                    .contains("2 times")
                    .contains(copy.toRealPath().toString()));
  }

  @Test
  void anAccessorThatTasksCannotLoadIsOnlyNoted() throws IOException, InterruptedException {
    hdfs.put("dfs.client.replica.accessor.builder.classes", ACCESSOR);
    mapred.clear();

    Findings findings = examine();

    assertThat(texts(findings, Level.PROBLEM)).isEmpty();
    assertThat(texts(findings, Level.NOTE))
        .anyMatch(text -> text.startsWith("task: " + ACCESSOR))
        .noneMatch(text -> text.startsWith("client: "));
  }

  @Test
  void aPolicyThatTasksCannotLoadIsAProblem() throws IOException, InterruptedException {
    mapred.put("yarn.app.mapreduce.am.preemption.policy", AGENT);

    assertThat(problems(Role.CLIENT))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.text()).endsWith("no application master starts");
              assertThat(problem.remedy()).contains("mapreduce.application.classpath");
            });
  }

  @Test
  void whatAnArchiveHoldsIsNotKnown() throws IOException, InterruptedException {
    mapred.put("mapreduce.application.framework.path", "hdfs:///mr.tar.gz#mr-framework");
    mapred.put("yarn.app.mapreduce.am.preemption.policy", AGENT);

    Findings findings = examine(Role.CLIENT);

    assertThat(texts(findings, Level.UNKNOWN))
        .singleElement()
        .satisfies(text -> assertThat(text).contains("hdfs:///mr.tar.gz#mr-framework"));
    assertThat(findings.exitStatus()).isEqualTo(2);
  }

  @Test
  void everyWrongSettingIsListedWithItsRemedy() throws IOException, InterruptedException {
    hdfs.put("orchestra.placement.report.interval", "1");
    hdfs.put("orchestra.placement.smoothing", "2");
    hdfs.put("orchestra.placement.smothing", "0.5");
    hdfs.put("orchestra.block-cache.capacity", "much");
    hdfs.put("orchestra.music.volume", "11");
    mapred.put("orchestra.placement.min-coverage", "0.4");

    List<Finding> problems = problems();

    assertThat(problems.stream().map(Finding::text))
        .containsExactlyInAnyOrder(
            "orchestra.placement.report.interval = '1': the unit is missing",
            "orchestra.placement.smoothing = '2': more than 1.0",
            "orchestra.placement.smothing is not a setting and has no effect",
            "orchestra.block-cache.capacity = 'much': not a number of bytes",
            "orchestra.music.volume is of no plugin of this version, and has no effect",
            "orchestra.placement.min-coverage stands in mapred-site.xml, which those who read it do not read");
    assertThat(problems).noneMatch(problem -> problem.remedy().isEmpty());
    assertThat(problems.get(0).remedy())
        .isEqualTo(
            "Set a time with its unit (`500ms`, `10s`), from 100ms to 60s, or remove it for the default 1s.");
  }

  @Test
  void aPluginOfWhichAPartIsMissingIsAProblem() throws IOException, InterruptedException {
    hdfs.remove("dfs.namenode.plugins");

    assertThat(problems())
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.text())
                    .startsWith("hdfs-placement: dfs.namenode.plugins does not name " + COLLECTOR));
  }

  @Test
  void aPluginThatIsSwitchedOffIsNoted() throws IOException, InterruptedException {
    hdfs.put("orchestra.placement.enabled", "false");

    assertThat(texts(examine(), Level.NOTE))
        .contains("hdfs-placement: off, orchestra.placement.enabled is false");
  }

  @Test
  void aPluginWhoseBlockCacheIsSwitchedOffIsOff() throws IOException, InterruptedException {
    broadcastWithSocketIn(directory.resolve("run"));
    hdfs.put("orchestra.block-cache.enabled", "false");

    Findings findings = examine();

    assertThat(texts(findings, Level.PROBLEM)).isEmpty();
    assertThat(texts(findings, Level.NOTE))
        .contains("broadcast-cache: off, orchestra.block-cache.enabled is false");
  }

  @Test
  void prefetchingThatOnlyForetellsIsOff() throws IOException, InterruptedException {
    classesForAll(SCHEDULER);
    yarn.put("yarn.resourcemanager.scheduler.class", SCHEDULER);
    yarn.put("orchestra.prefetch.fetch", "false");

    assertThat(texts(examine(Role.RESOURCEMANAGER), Level.NOTE))
        .contains("prefetch-scheduler: off, orchestra.prefetch.fetch is false");
  }

  /** The class paths of other hosts' daemons are theirs. */
  @Test
  void anyHostCanAskTheDaemonsOfAll() throws IOException, InterruptedException {
    hdfs.put("dfs.namenode.http-address", "127.0.0.1:1");

    Findings findings = examine(true, Role.CLIENT);

    assertThat(texts(findings, Level.PROBLEM)).isEmpty();
    assertThat(texts(findings, Level.UNKNOWN))
        .singleElement()
        .asString()
        .startsWith("hdfs-placement: http://127.0.0.1:1 does not tell");
  }

  @Test
  void daemonsCannotBeAskedWithASecurityThatHadoopDoesNotKnow()
      throws IOException, InterruptedException {
    hdfs.put("hadoop.security.authentication", "trust");

    Findings findings = examine(true);

    assertThat(texts(findings, Level.PROBLEM))
        .singleElement()
        .asString()
        .startsWith("Hadoop cannot use what the configuration says of security");
    assertThat(findings.exitStatus()).isEqualTo(1);
  }

  @Test
  void aHostIsAskedOnlyForItsOwnRoles() throws IOException, InterruptedException {
    hdfs.remove("dfs.namenode.plugins");
    hdfs.remove("dfs.block.replicator.classname");

    assertThat(examine(Role.DATANODE).exitStatus()).isZero();
  }

  @Test
  void whatPluginsShareSwitchesNoneOfThemOn() throws IOException, InterruptedException {
    classesForAll(ACCESSOR);
    hdfs.put(Plugin.ACCESSORS, ACCESSOR);

    Findings findings = examine(Role.NAMENODE, Role.DATANODE, Role.NODEMANAGER);

    assertThat(texts(findings, Level.PROBLEM)).isEmpty();
    assertThat(texts(findings, Level.NOTE))
        .contains(
            "broadcast-cache: off, the configuration does not name it",
            "prefetch-scheduler: off, the configuration does not name it");
  }

  @Test
  void whatPluginsShareIsMissedWhereOneOfThemIsOn() throws IOException, InterruptedException {
    classesForAll(DAEMON);
    hdfs.put("dfs.datanode.plugins", DAEMON);

    assertThat(problems(Role.DATANODE, Role.NODEMANAGER).stream().map(Finding::text))
        .contains(
            "prefetch-scheduler: %s does not name %s, without which the other parts do nothing"
                .formatted(Plugin.ACCESSORS, ACCESSOR),
            "prefetch-scheduler: orchestra.block-cache.map-input is not true, without which the other parts do nothing")
        .noneMatch(text -> text.startsWith("broadcast-cache"));
  }

  /** On a host of a NodeManager alone nothing else tells whose the accessor is. */
  @Test
  void aHostWithOnlyASharedPartGoesByWhatItsConfigurationHasForOthers()
      throws IOException, InterruptedException {
    classesForAll(ACCESSOR);
    hdfs.put(Plugin.ACCESSORS, ACCESSOR);

    assertThat(texts(examine(Role.NODEMANAGER), Level.NOTE))
        .contains(
            "broadcast-cache: what this host needs is named, and is used if the plugin is on elsewhere");

    hdfs.put("dfs.datanode.plugins", "io.orchestra.hadoop.broadcast.SwarmPeer");

    assertThat(texts(examine(Role.NODEMANAGER), Level.OK)).contains("broadcast-cache: on");
  }

  /** They may be submitted elsewhere. */
  @Test
  void whatJobsBringIsOnlyNotedWhereItIsMissing() throws IOException, InterruptedException {
    classesForAll(HANDLER);
    yarn.put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    yarn.put("yarn.nodemanager.aux-services.mapreduce_shuffle.class", HANDLER);

    Findings findings = examine(Role.NODEMANAGER, Role.CLIENT);

    assertThat(findings.exitStatus()).isZero();
    assertThat(texts(findings, Level.NOTE))
        .contains(
            "mapreduce-shuffle: mapreduce.job.reduce.shuffle.consumer.plugin.class does not name"
                + " io.orchestra.hadoop.shuffle.WeightedShuffle: jobs that are submitted with this configuration do without"
                + " it");
    assertThat(texts(findings, Level.OK)).contains("mapreduce-shuffle: on");
  }

  @Test
  void jobsWithoutTheirCounterpartAreAProblem() throws IOException, InterruptedException {
    classesForAll(AGENT);
    mapred.put("yarn.app.mapreduce.am.preemption.policy", AGENT);

    assertThat(problems(Role.RESOURCEMANAGER, Role.CLIENT).stream().map(Finding::text))
        .contains(
            "prefetch-scheduler: yarn.resourcemanager.scheduler.class does not name"
                + " io.orchestra.hadoop.prefetch.FlexFetchScheduler, without which the other parts do nothing");
  }

  @Test
  void aBlockCacheWithoutADirectoryForItsSocketIsAProblem()
      throws IOException, InterruptedException {
    broadcastWithSocketIn(directory.resolve("run"));

    assertThat(problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.text()).contains(directory.resolve("run") + ", does not exist");
              assertThat(problem.remedy()).contains("install -d");
            });
  }

  @Test
  void aSocketThatOthersCouldReplaceIsAProblem() throws IOException, InterruptedException {
    Path run = Files.createDirectory(directory.resolve("run"));
    assertThat(run.toFile().setWritable(true, false)).isTrue();
    broadcastWithSocketIn(run);

    assertThat(problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.text()).contains("is not safe"));
  }

  @Test
  void aDamagedInstallationIsAProblem() throws IOException, InterruptedException {
    Files.delete(home.root().resolve("orchestra/current/LICENSE"));

    assertThat(problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.text()).endsWith(": LICENSE"));
  }

  @Test
  void anOldJavaIsAProblem() throws IOException, InterruptedException {
    Path java = directory.resolve("jdk/bin/java");
    StandInHome.writeTo(java, "#!/bin/sh\necho 'openjdk version \"1.8.0_402\"' >&2\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    home.write("etc/hadoop/hadoop-env.sh", "JAVA=" + java + "\n");

    assertThat(problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.text()).startsWith("Java 8, "));
  }

  @Test
  void scriptsThatFailCannotBeLookedAt() throws IOException, InterruptedException {
    home.write("libexec/hdfs-config.sh", "echo no such thing as a heap >&2; exit 1\n");

    Findings findings = examine();

    assertThat(findings.exitStatus()).isEqualTo(2);
    assertThat(texts(findings, Level.UNKNOWN))
        .anyMatch(text -> text.contains("no such thing as a heap"));
  }

  @Test
  void noConfigurationCannotBeLookedAt() throws IOException, InterruptedException {
    Findings findings =
        new Examination(HadoopHome.open(home.root()), directory.resolve("nowhere"))
            .run(Set.of(), false);

    assertThat(texts(findings, Level.UNKNOWN))
        .contains("there is no site file in " + directory.resolve("nowhere"));
  }

  @Test
  void aConfigurationThatIsNoXmlIsAProblem() throws IOException, InterruptedException {
    home.write("etc/hadoop/core-site.xml", "<configuration><property>");

    assertThat(problems())
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.text())
                    .startsWith("Hadoop cannot read the configuration in " + home.configuration())
                    .contains("core-site.xml"));
  }

  @Test
  void aFindingIsALineAndItsRemedyTheNext() {
    assertThat(new Finding(Level.PROBLEM, "it rains", "take an umbrella").render())
        .isEqualTo("problem  it rains\n         remedy: take an umbrella");
  }

  private void broadcastWithSocketIn(Path run) throws IOException {
    classesForAll(
        "io.orchestra.hadoop.broadcast.SwarmTracker", "io.orchestra.hadoop.broadcast.SwarmPeer");
    hdfs.put("dfs.namenode.plugins", COLLECTOR + ",io.orchestra.hadoop.broadcast.SwarmTracker");
    hdfs.put("dfs.datanode.plugins", REPORTER + ",io.orchestra.hadoop.broadcast.SwarmPeer");
    hdfs.put("dfs.client.replica.accessor.builder.classes", ACCESSOR);
    hdfs.put("orchestra.block-cache.socket", run.resolve("s").toString());
  }

  /** On the class path of all that scripts start. */
  private void classesForAll(String... names) throws IOException {
    Path more = directory.resolve("more.jar");
    classes(more, names);
    home.write("etc/hadoop/hadoop-env.sh", "HADOOP_CLASSPATH=" + more + "\n");
  }

  private List<Finding> problems(Role... roles) throws IOException, InterruptedException {
    return examine(roles).all().stream()
        .filter(finding -> finding.level() == Level.PROBLEM)
        .toList();
  }

  private static List<String> texts(Findings findings, Level level) {
    return findings.all().stream()
        .filter(finding -> finding.level() == level)
        .map(Finding::text)
        .toList();
  }

  private Findings examine(Role... roles) throws IOException, InterruptedException {
    return examine(false, roles);
  }

  private Findings examine(boolean live, Role... roles) throws IOException, InterruptedException {
    home.configured("hdfs-site.xml", hdfs)
        .configured("yarn-site.xml", yarn)
        .configured("mapred-site.xml", mapred);
    return new Examination(HadoopHome.open(home.root()), home.configuration())
        .run(Set.of(roles), live);
  }

  /** A jar with empty files for classes. */
  private static void classes(Path jar, String... names) throws IOException {
    try (JarOutputStream stream = new JarOutputStream(Files.newOutputStream(jar))) {
      for (String name : names) {
        stream.putNextEntry(new ZipEntry(name.replace('.', '/') + ".class"));
      }
    }
  }
}
