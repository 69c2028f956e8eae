package io.orchestra.hadoop.operator.doctor;

import static io.orchestra.hadoop.operator.doctor.ExaminedHost.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.operator.StandInHome;
import io.orchestra.hadoop.operator.doctor.Finding.Level;
import io.orchestra.hadoop.operator.install.HadoopHome;
import io.orchestra.hadoop.operator.install.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ExaminationTest {
  @TempDir private Path directory;
  private ExaminedHost host;

  @BeforeEach
  void placementIsInstalledAndConfigured() throws IOException {
    host = new ExaminedHost(directory);
  }

  @Test
  void nothingIsWrongWithARightInstallation() throws IOException, InterruptedException {
    Findings findings = host.examine();

    assertThat(findings.exitStatus()).isZero();
    assertThat(texts(findings, Level.OK))
        .contains(
            "Hadoop 3.5.0 in " + host.home().root(),
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
    host.hdfs().put("dfs.datanode.plugins", ExaminedHost.REPORTER + "x");

    assertThat(host.problems())
        .anySatisfy(
            problem -> {
              assertThat(problem.text())
                  .isEqualTo(
                      "datanode: %sx, which dfs.datanode.plugins names, is not on its class path: the DataNode does not start"
                          .formatted(ExaminedHost.REPORTER));
              assertThat(problem.remedy()).contains("install").contains("--role datanode");
            });
    assertThat(host.examine().exitStatus()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "NAMENODE, dfs.namenode.plugins, the NameNode does not start",
    "NAMENODE, dfs.block.replicator.classname, the NameNode does not start",
    "NAMENODE, dfs.block.placement.ec.classname, the NameNode does not start",
    "DATANODE, dfs.datanode.plugins, the DataNode does not start",
    "RESOURCEMANAGER, yarn.resourcemanager.scheduler.class, the ResourceManager does not start",
    "RESOURCEMANAGER, yarn.resourcemanager.scheduler.monitor.policies, the ResourceManager does not start",
    "NODEMANAGER, yarn.nodemanager.aux-services.any.class, the NodeManager does not start",
    "TASK, yarn.app.mapreduce.am.preemption.policy, no application master starts",
    "TASK, mapreduce.job.reduce.shuffle.consumer.plugin.class, every reducer fails"
  })
  void eachKeyIsLookedForOnTheClassPathOfWhoLoadsItsClasses(
      Program program, String key, String consequence) throws IOException, InterruptedException {
    String missing = "io.orchestra.hadoop.Missing";
    for (Map<String, String> site : List.of(host.hdfs(), host.yarn(), host.mapred())) {
      site.put(key, missing);
    }

    assertThat(texts(host.examine(Role.values()), Level.PROBLEM))
        .filteredOn(text -> text.contains(missing))
        .containsExactly(
            "%s: %s, which %s names, is not on its class path: %s"
                .formatted(program.programName(), missing, key, consequence));
  }

  @Test
  void aClassThatIsThereTwiceIsAProblemThatSaysWhere() throws IOException, InterruptedException {
    Path copy = directory.resolve("copy.jar");
    ExaminedHost.classes(copy, ExaminedHost.COLLECTOR);
    host.home().write("etc/hadoop/hadoop-env.sh", "HADOOP_CLASSPATH=" + copy + "\n");

    assertThat(host.problems())
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.text())
                    .contains("namenode: " + ExaminedHost.COLLECTOR)
                    .contains("2 times")
                    .contains(copy.toRealPath().toString()));
  }

  @Test
  void anAccessorThatTasksCannotLoadIsOnlyNoted() throws IOException, InterruptedException {
    host.hdfs().put("dfs.client.replica.accessor.builder.classes", ExaminedHost.ACCESSOR);
    host.mapred().clear();

    Findings findings = host.examine();

    assertThat(texts(findings, Level.PROBLEM)).isEmpty();
    assertThat(texts(findings, Level.NOTE))
        .anyMatch(text -> text.startsWith("task: " + ExaminedHost.ACCESSOR))
        .noneMatch(text -> text.startsWith("client: "));
  }

  @Test
  void aPolicyThatTasksCannotLoadIsAProblem() throws IOException, InterruptedException {
    host.mapred().clear();
    host.mapred().put("yarn.app.mapreduce.am.preemption.policy", ExaminedHost.AGENT);

    assertThat(host.problems(Role.CLIENT))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.text()).endsWith("no application master starts");
              assertThat(problem.remedy()).contains("mapreduce.application.classpath");
            });
  }

  @Test
  void aDelegateThatTasksCannotLoadIsAProblemWhereTheAgentIs()
      throws IOException, InterruptedException {
    host.mapred().put("orchestra.prefetch.am.preemption-policy.delegate", "com.example.Policy");
    assertThat(host.problems(Role.CLIENT)).isEmpty();

    host.mapred().put("yarn.app.mapreduce.am.preemption.policy", ExaminedHost.AGENT);
    assertThat(host.problems(Role.CLIENT))
        .filteredOn(problem -> problem.text().contains("com.example.Policy"))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.text()).endsWith("no application master starts");
              assertThat(problem.remedy()).startsWith("name a class that is on");
            });
  }

  /** As after the first step of a roll-out: whether the jars have come is all there is to know. */
  @Test
  void jarsAreLookedForWhereNoClassIsNamedYet() throws IOException, InterruptedException {
    host.hdfs().clear();

    assertThat(texts(host.examine(), Level.OK))
        .contains(
            "namenode: orchestra-namenode.jar is on its class path, once; the configuration names no class of it",
            "datanode: orchestra-datanode.jar is on its class path, once; the configuration names no class of it",
            "client: orchestra-client.jar is on its class path, once; the configuration names no class of it");
  }

  @Test
  void aJarThatDoesNotReachAClassPathIsAProblemThoughNothingIsNamed()
      throws IOException, InterruptedException {
    host.hdfs().clear();
    host.home().write("etc/hadoop/hadoop-env.sh", "hadoop_add_profile() { :; }\n");

    assertThat(host.problems().stream().map(Finding::text))
        .containsExactly(
            "namenode: orchestra-namenode.jar is installed and not on its class path: no %s, %s, %s there"
                .formatted(ExaminedHost.ACCESSOR, ExaminedHost.COLLECTOR, ExaminedHost.TRACKER),
            "datanode: orchestra-datanode.jar is installed and not on its class path: no %s, %s, %s, %s there"
                .formatted(
                    ExaminedHost.ACCESSOR,
                    ExaminedHost.REPORTER,
                    ExaminedHost.PEER,
                    ExaminedHost.PREFETCH_DAEMON),
            "client: orchestra-client.jar is installed and not on its class path: no %s, %s, %s there"
                .formatted(
                    ExaminedHost.ACCESSOR,
                    "io.orchestra.hadoop.shuffle.WeightedShuffle",
                    ExaminedHost.AGENT));
  }

  @Test
  void aJarThatWasCopiedIsAProblemThoughNothingIsNamed() throws IOException, InterruptedException {
    host.hdfs().clear();
    host.classesForAll(ExaminedHost.TRACKER);

    assertThat(host.problems())
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.text())
                    .startsWith(
                        "namenode: %s is on its class path 2 times: "
                            .formatted(ExaminedHost.TRACKER)));
  }

  /** As with what {@code hadoop classpath} prints, which some have in their shell's profile. */
  @Test
  void severalJarsOfOneInstallationAreOnlyNoted() throws IOException, InterruptedException {
    Path current = host.home().root().resolve("orchestra/current");
    Path jar = current.resolve("orchestra-client.jar");
    host.home().write("etc/hadoop/hadoop-env.sh", "HADOOP_CLASSPATH=" + jar + "\n");

    Findings findings = host.examine();

    assertThat(texts(findings, Level.PROBLEM)).isEmpty();
    assertThat(texts(findings, Level.NOTE))
        .filteredOn(text -> text.contains("several jars"))
        .containsExactly(
            "namenode: on its class path are several jars of one installation, which does no harm: %s, %s"
                .formatted(
                    current.resolve("orchestra-namenode.jar").toRealPath(), jar.toRealPath()),
            "datanode: on its class path are several jars of one installation, which does no harm: %s, %s"
                .formatted(
                    current.resolve("orchestra-datanode.jar").toRealPath(), jar.toRealPath()));
  }

  /** As where a copy of an older profile is beside the configuration. */
  @Test
  void classesThatDoNotComeFromWhatIsInstalledAreAProblem()
      throws IOException, InterruptedException {
    Path old = directory.resolve("old.jar");
    ExaminedHost.classes(old, ExaminedHost.COLLECTOR, ExaminedHost.TRACKER, ExaminedHost.ACCESSOR);
    host.hdfs().clear();
    host.home()
        .write(
            "etc/hadoop/hadoop-env.sh",
            "hadoop_add_profile() { :; }\nHADOOP_CLASSPATH=" + old + "\n");

    assertThat(texts(host.examine(Role.NAMENODE), Level.OK))
        .noneMatch(text -> text.startsWith("namenode: "));
    assertThat(host.problems(Role.NAMENODE))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.text())
                  .startsWith("namenode: classes of ours come from %s, and not".formatted(old));
              assertThat(problem.remedy()).contains("shellprofile.d");
            });
  }

  @Test
  void anotherConfigurationThanScriptsLeadToIsAProblem() throws IOException, InterruptedException {
    Path other = Files.createDirectory(directory.resolve("other"));
    host.home().write("etc/hadoop/hadoop-env.sh", "export HADOOP_CONF_DIR=" + other + "\n");

    assertThat(host.problems(Role.DATANODE))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.text())
                  .isEqualTo(
                      "datanode: Hadoop's scripts start it with the configuration in %s, and this looks at %s"
                          .formatted(other, host.home().configuration()));
              assertThat(problem.remedy()).contains("--conf %s --role datanode".formatted(other));
            });
  }

  /** Whose class path nobody has looked at. */
  @Test
  void aRoleThatIsNotInstalledAndHasClassesNamedIsNoted() throws IOException, InterruptedException {
    host.yarn().put("yarn.resourcemanager.scheduler.class", "io.orchestra.hadoop.Missing");

    Findings findings = host.examine();

    assertThat(texts(findings, Level.NOTE))
        .contains(
            "resourcemanager: not installed and not looked at; the configuration names classes of ours without which no ResourceManager starts")
        .noneMatch(text -> text.startsWith("nodemanager: "));
    assertThat(findings.exitStatus()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"resourcemanager", "secondarynamenode"})
  void aRoleThatIsNotInstalledAndRunsHereIsLookedAt(String daemon)
      throws IOException, InterruptedException {
    host = ExaminedHost.with(directory.resolve("other"), Role.DATANODE);
    host.yarn().put("yarn.resourcemanager.scheduler.class", "io.orchestra.hadoop.Missing");
    Process running =
        begin(
            "bash",
            "-c",
            "read line",
            "bash",
            "-Dproc_" + daemon,
            "-Dpadding=" + "x".repeat(10_000),
            "-Dhadoop.home.dir=" + host.home().root().toRealPath());
    try {
      assertThat(host.problems().stream().map(Finding::text))
          .isNotEmpty()
          .allMatch(
              text ->
                  daemon.equals("resourcemanager")
                      ? text.endsWith(
                          "is not on its class path: the ResourceManager does not start")
                      : text.endsWith("is not on its class path: the NameNode does not start"));
    } finally {
      running.destroy();
    }
  }

  /** As during an upgrade of Hadoop. */
  @Test
  void aDaemonOfAnotherHomeIsNotOurs() throws IOException, InterruptedException {
    host.yarn().put("yarn.resourcemanager.scheduler.class", "io.orchestra.hadoop.Missing");
    Process running =
        begin(
            "bash",
            "-c",
            "read line",
            "bash",
            "-Dproc_resourcemanager",
            "-Dhadoop.home.dir=" + directory);
    try {
      assertThat(host.problems()).isEmpty();
    } finally {
      running.destroy();
    }
  }

  /** Returns when the kernel shows what the program was begun with, which is not so at once. */
  private static Process begin(String... words) throws IOException {
    Process process = new ProcessBuilder(words).start();
    Path shown = Path.of("/proc", Long.toString(process.pid()), "cmdline");
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Files.readString(shown).contains(words[words.length - 1]));
    return process;
  }

  @Test
  void javaIsFoundBehindWhatItSaysOfItsOptions() throws IOException, InterruptedException {
    host.home().write("etc/hadoop/hadoop-env.sh", "export JAVA_TOOL_OPTIONS=-Da=b\n");

    assertThat(texts(host.examine(), Level.OK))
        .anyMatch(text -> text.matches("Java \\d+, as Hadoop's scripts find it"));
  }

  @Test
  void aLinkThatLeadsNowhereIsOnNoClassPath() throws IOException, InterruptedException {
    Path mapreduce = host.home().root().resolve("share/hadoop/mapreduce");
    Files.createDirectories(mapreduce);
    for (Path lib : List.of(mapreduce, host.home().root().resolve("share/hadoop/common"))) {
      Files.createSymbolicLink(lib.resolve("gone.jar"), directory.resolve("gone.jar"));
    }

    assertThat(host.examine().exitStatus()).isZero();
  }

  @Test
  void whatCannotBeReadEndsNothingElse() throws InterruptedException, IOException {
    Findings unused = host.examine();
    Path list = host.home().root().resolve("orchestra/current/SHA256SUMS");
    Files.delete(list);
    Files.createDirectory(list);

    Findings findings =
        Examination.found(
            new String[] {
              host.home().root().toString(), host.home().configuration().toString(), "", "false"
            });

    assertThat(texts(findings, Level.OK)).contains("Hadoop 3.5.0 in " + host.home().root());
    assertThat(texts(findings, Level.UNKNOWN))
        .singleElement()
        .asString()
        .startsWith("the rest was not looked at: java.io.IOException: Is a directory");
    assertThat(findings.exitStatus()).isEqualTo(2);
  }

  @Test
  void anotherHomeForTasksIsNoted() throws IOException, InterruptedException {
    host.mapred().put("yarn.app.mapreduce.am.env", "A=b, HADOOP_MAPRED_HOME=/elsewhere");
    host.mapred().put("mapreduce.map.env", "HADOOP_MAPRED_HOME=${HADOOP_HOME}");
    host.mapred().put("mapreduce.reduce.env.HADOOP_MAPRED_HOME", host.home().root() + "/");

    assertThat(texts(host.examine(), Level.NOTE))
        .filteredOn(text -> text.contains("HADOOP_MAPRED_HOME"))
        .containsExactly(
            "task: yarn.app.mapreduce.am.env sets HADOOP_MAPRED_HOME to /elsewhere, where this does not look");
  }

  @Test
  void anOldJavaOfContainersIsAProblemIfTheyLoadClassesOfOurs()
      throws IOException, InterruptedException {
    Path java = Files.createDirectory(directory.resolve("java"));
    Files.writeString(java.resolve("release"), "IMPLEMENTOR=\"any\"\nJAVA_VERSION=\"1.8.0_392\"\n");
    host.mapred().put("yarn.app.mapreduce.am.env", "A=b,JAVA_HOME=" + java);
    host.mapred().put("mapreduce.map.env.JAVA_HOME", "/elsewhere");
    assertThat(texts(host.examine(Role.CLIENT), Level.PROBLEM)).isEmpty();

    host.mapred().put("yarn.app.mapreduce.am.preemption.policy", ExaminedHost.AGENT);
    assertThat(texts(host.examine(Role.CLIENT), Level.PROBLEM))
        .contains(
            "task: yarn.app.mapreduce.am.env sets JAVA_HOME to %s, a Java 8, which cannot load classes of ours"
                .formatted(java));
    assertThat(texts(host.examine(Role.CLIENT), Level.NOTE))
        .noneMatch(text -> text.contains("JAVA_HOME"));

    host.mapred()
        .put("mapreduce.job.reduce.shuffle.consumer.plugin.class", "io.orchestra.hadoop.Any");
    Files.write(java.resolve("release"), new byte[] {(byte) 0xe9, '\n'});
    assertThat(texts(host.examine(Role.CLIENT), Level.NOTE))
        .contains(
            "task: mapreduce.map.env sets JAVA_HOME to /elsewhere, of which this host does not tell the version",
            "task: yarn.app.mapreduce.am.env sets JAVA_HOME to %s, of which this host does not tell the version"
                .formatted(java));
  }

  @Test
  void aClassPathThatIsToldByAVariableThatContainersLackIsAProblemIfJobsNeedIt()
      throws IOException, InterruptedException {
    String text =
        "task: mapreduce.application.classpath is told by $HADOOP_MAPRED_HOME, which the configuration here gives to no container, or not to all";
    host.yarn().remove("yarn.nodemanager.env-whitelist");
    assertThat(texts(host.examine(Role.CLIENT), Level.NOTE)).contains(text);

    host.mapred().put("yarn.app.mapreduce.am.preemption.policy", ExaminedHost.AGENT);
    assertThat(texts(host.examine(Role.CLIENT), Level.PROBLEM)).containsExactly(text);

    host.mapred().put("yarn.app.mapreduce.am.env", "HADOOP_MAPRED_HOME=${HADOOP_HOME}");
    host.mapred().put("mapreduce.map.env.HADOOP_MAPRED_HOME", "${HADOOP_HOME}");
    assertThat(texts(host.examine(Role.CLIENT), Level.PROBLEM)).containsExactly(text);

    host.mapred().put("mapreduce.admin.user.env", "A=b,HADOOP_MAPRED_HOME=${HADOOP_HOME}");
    assertThat(texts(host.examine(Role.CLIENT), Level.PROBLEM)).isEmpty();
    assertThat(texts(host.examine(Role.CLIENT), Level.NOTE)).doesNotContain(text);
  }

  @Test
  void jarsAreFoundBehindColonsToo() throws IOException, InterruptedException {
    host.mapred().put("yarn.app.mapreduce.am.preemption.policy", ExaminedHost.AGENT);
    host.mapred()
        .put(
            "mapreduce.application.classpath",
            "$HADOOP_MAPRED_HOME/share/hadoop/mapreduce/*:$HADOOP_MAPRED_HOME/orchestra/current/orchestra-client.jar");

    assertThat(host.problems(Role.CLIENT)).isEmpty();
  }

  /** Tasks read it, and hdfs-site.xml may leave it to them. */
  @Test
  void whatTasksTakeFromTheBlockCacheMayStandWhereJobsAreConfigured()
      throws IOException, InterruptedException {
    host.mapred().put("orchestra.block-cache.map-input", "true");
    host.yarn().put("orchestra.block-cache.share-per-user", "0.5");

    assertThat(host.problems())
        .singleElement()
        .isEqualTo(
            new Finding(
                Level.PROBLEM,
                "orchestra.block-cache.share-per-user stands in yarn-site.xml, which those who read it do not read",
                "move it to hdfs-site.xml"));
  }

  @Test
  void everyWrongSettingIsListedWithItsRemedy() throws IOException, InterruptedException {
    host.hdfs().put("orchestra.placement.report.interval", "1");
    host.hdfs().put("orchestra.placement.smoothing", "2");
    host.hdfs().put("orchestra.placement.smothing", "0.5");
    host.hdfs().put("orchestra.block-cache.capacity", "much");
    host.hdfs().put("orchestra.music.volume", "11");
    host.mapred().put("orchestra.placement.min-coverage", "0.4");

    List<Finding> problems = host.problems();

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
  void aWrongSettingIsNotHiddenByARightOneInTheFileOfAnotherProgram()
      throws IOException, InterruptedException {
    host.yarn().put("orchestra.prefetch.interval", "1");
    host.yarn().put("orchestra.shuffle.gate", "sometimes");
    host.hdfs().put("orchestra.prefetch.interval", "1s");
    host.mapred().put("orchestra.prefetch.interval", "1s");
    host.mapred().put("orchestra.shuffle.gate", "always");

    assertThat(host.problems().stream().map(Finding::text))
        .hasSize(2)
        .contains(
            "orchestra.prefetch.interval = '1': the unit is missing (read by ResourceManager)")
        .anyMatch(text -> text.startsWith("orchestra.shuffle.gate = 'sometimes': "));
  }

  /** The class paths of other hosts' daemons are theirs. */
  @Test
  void anyHostCanAskTheDaemonsOfAll() throws IOException, InterruptedException {
    host.hdfs().put("dfs.namenode.http-address", "127.0.0.1:1");

    Findings findings = host.examine(true, Role.CLIENT);

    assertThat(texts(findings, Level.PROBLEM)).isEmpty();
    assertThat(texts(findings, Level.UNKNOWN))
        .singleElement()
        .asString()
        .startsWith("hdfs-placement: http://127.0.0.1:1 does not tell");
  }

  @Test
  void daemonsCannotBeAskedWithASecurityThatHadoopDoesNotKnow()
      throws IOException, InterruptedException {
    host.hdfs().put("hadoop.security.authentication", "trust");

    Findings findings = host.examine(true);

    assertThat(texts(findings, Level.PROBLEM))
        .singleElement()
        .asString()
        .startsWith("Hadoop cannot use what the configuration says of security");
    assertThat(findings.exitStatus()).isEqualTo(1);
  }

  @Test
  void aDamagedInstallationIsAProblem() throws IOException, InterruptedException {
    Files.delete(host.home().root().resolve("orchestra/current/LICENSE"));

    assertThat(host.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.text()).endsWith(": LICENSE");
              // The copy itself is damaged.
              assertThat(problem.remedy()).startsWith("unpack orchestra-hadoop-<version>.tar.gz");
            });
  }

  @Test
  void anOldJavaIsAProblem() throws IOException, InterruptedException {
    Path java = directory.resolve("jdk/bin/java");
    StandInHome.writeTo(java, "#!/bin/sh\necho 'openjdk version \"1.8.0_402\"' >&2\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    host.home().write("etc/hadoop/hadoop-env.sh", "JAVA=" + java + "\n");

    assertThat(host.problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.text()).startsWith("Java 8, "));
  }

  @Test
  void noJavaCannotBeLookedAt() throws IOException, InterruptedException {
    host.home().write("etc/hadoop/hadoop-env.sh", "JAVA=/nowhere/bin/java\n");

    Findings findings = host.examine();

    assertThat(texts(findings, Level.UNKNOWN))
        .containsExactly("Hadoop's scripts find no Java that tells its version");
    assertThat(findings.exitStatus()).isEqualTo(2);
  }

  @Test
  void aHadoopThatIsNotTestedIsNoted() throws IOException, InterruptedException {
    Path common = host.home().root().resolve("share/hadoop/common");
    Files.delete(common.resolve("hadoop-common-3.5.0.jar"));
    host.home().write("share/hadoop/common/hadoop-common-3.5.9.jar", "");

    Findings findings = host.examine();

    assertThat(texts(findings, Level.NOTE))
        .contains(
            "Hadoop 3.5.9 in %s is not among the tested versions".formatted(host.home().root()));
    assertThat(findings.exitStatus()).isZero();
  }

  @Test
  void scriptsThatFailCannotBeLookedAt() throws IOException, InterruptedException {
    host.home().write("libexec/hdfs-config.sh", "echo no such thing as a heap >&2; exit 1\n");

    Findings findings = host.examine();

    assertThat(findings.exitStatus()).isEqualTo(2);
    assertThat(texts(findings, Level.UNKNOWN))
        .anyMatch(text -> text.contains("no such thing as a heap"));
  }

  @Test
  void noConfigurationCannotBeLookedAt() throws IOException, InterruptedException {
    Findings findings =
        new Examination(
                HadoopHome.open(host.home().root()),
                directory.resolve("nowhere"),
                Optional.empty(),
                new Findings())
            .run(Set.of(), false);

    assertThat(texts(findings, Level.UNKNOWN))
        .contains("there is no site file in " + directory.resolve("nowhere"));
    assertThat(findings.exitStatus()).isEqualTo(2);
  }

  /** As Hadoop's releases have it, where the cluster is configured elsewhere. */
  @Test
  void aConfigurationWithoutAPropertyCannotBeLookedAt() throws IOException, InterruptedException {
    host.hdfs().clear();
    host.yarn().clear();
    host.mapred().clear();
    host.home().configured("core-site.xml", Map.of());

    Findings findings = host.examine();

    assertThat(texts(findings, Level.UNKNOWN))
        .contains("there is no property in any site file in " + host.home().configuration());
    assertThat(findings.exitStatus()).isEqualTo(2);
  }

  @Test
  void aConfigurationThatIsNoXmlIsAProblem() throws IOException, InterruptedException {
    host.home().write("etc/hadoop/core-site.xml", "<configuration><property>");

    assertThat(host.problems())
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.text())
                    .startsWith(
                        "Hadoop cannot read the configuration in " + host.home().configuration())
                    .contains("core-site.xml"));
  }

  @Test
  void aProblemCountsMoreThanWhatCouldNotBeLookedAt() {
    Findings findings = new Findings();
    findings.note("it is cloudy", "");
    assertThat(findings.exitStatus()).isZero();
    findings.unknown("no window is open", "open one");
    assertThat(findings.exitStatus()).isEqualTo(2);
    findings.problem("it rains", "take an umbrella");
    assertThat(findings.exitStatus()).isEqualTo(1);
  }

  @Test
  void aFindingIsALineAndItsRemedyTheNext() {
    assertThat(new Finding(Level.PROBLEM, "it rains", "take an umbrella").render())
        .isEqualTo("problem  it rains\n         remedy: take an umbrella");
  }
}
