package io.orchestra.hadoop.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.operator.install.Release;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The archive as operators have it: unpacked, and its command run without Maven. */
final class ArchiveIT {
  private static final String ALL_DAEMONS = "namenode,datanode,resourcemanager,nodemanager";
  private static final List<String> SITES =
      List.of("hdfs-site.xml", "yarn-site.xml", "mapred-site.xml");

  private static final Duration LONGEST = Duration.ofMinutes(1);

  /** The status of a program that SIGTERM has ended. */
  private static final int TERMINATED = 143;

  /** A link in Markdown to another file. */
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)");

  private record Outcome(int status, String output) {}

  private Path directory;
  private Path release;
  private StandInHome home;

  @BeforeEach
  void unpack() throws IOException, InterruptedException {
    // Not JUnit's, which others may not enter.
    directory = Files.createTempDirectory("orchestra-archive-");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    // Where the archive is unpacked may be called anything.
    release = Files.createDirectory(directory.resolve("the archive"));
    Path archive;
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(Path.of("target"), "orchestra-hadoop-*.tar.gz")) {
      List<Path> found = new ArrayList<>();
      files.forEach(found::add);
      assertThat(found).hasSize(1);
      archive = found.get(0);
    }
    assertThat(
            run(
                    "tar",
                    "-xzf",
                    archive.toString(),
                    "-C",
                    release.toString(),
                    "--strip-components",
                    "1")
                .status())
        .isZero();
    home = new StandInHome(directory.resolve("hadoop"), System.getProperty("hadoop.version"));
    jarsOfHadoop();
    // Where this test runs, others may be able to write.
    home.configured(
        "core-site.xml",
        Map.of(
            // Nobody listens there.
            "fs.defaultFS", "hdfs://127.0.0.1:1",
            "yarn.resourcemanager.hostname", "127.0.0.1",
            "yarn.resourcemanager.webapp.address", "127.0.0.1:1",
            "orchestra.block-cache.socket", directory.resolve("s").toString(),
            "orchestra.block-cache.guard-socket", "false"));
  }

  @AfterEach
  void delete() throws IOException, InterruptedException {
    assertThat(run("rm", "-r", directory.toString()).status()).isZero();
  }

  @Test
  void itIsInstalledConfiguredFoundRightAndRemoved() throws IOException, InterruptedException {
    Map<String, String> before = home.everything();
    Outcome install = orchestra("install", "--role", ALL_DAEMONS);
    assertThat(install.status()).as(install.output()).isZero();
    assertThat(install.output())
        .contains("hdfs-site.xml, read by NameNode, DataNode, NodeManager")
        .contains("yarn-site.xml, read by ResourceManager, NodeManager, application masters")
        .containsPattern("FlexFetchScheduler</value>\n *<description>.* CapacityScheduler")
        .contains("io.orchestra.hadoop.placement.LinkCollector")
        .contains("mapred-site.xml, read by application masters");
    configureAll();

    Outcome doctor = orchestra("doctor");

    assertThat(doctor.output())
        .contains("ok       Hadoop " + System.getProperty("hadoop.version"))
        .contains("ok       namenode: 4 classes of ours on its class path, each once")
        .contains("ok       datanode: 3 classes of ours on its class path, each once")
        .contains("ok       resourcemanager: 1 class of ours on its class path, each once")
        .contains("ok       nodemanager: 2 classes of ours on its class path, each once")
        .contains("ok       task: 3 classes of ours on its class path, each once")
        .contains("ok       client: 1 class of ours on its class path, each once")
        .contains("ok       hdfs-placement: on")
        .contains("ok       broadcast-cache: on")
        .contains("ok       mapreduce-shuffle: on")
        .contains("ok       prefetch-scheduler: on")
        .doesNotContain("problem ", "unknown ");
    assertThat(doctor.status()).isZero();

    Outcome refused = orchestra("uninstall");
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.output()).contains("still names classes").contains("remedy: take them out");

    for (String file : SITES) {
      Files.delete(home.configuration().resolve(file));
    }
    assertThat(orchestra("uninstall").status()).isZero();
    assertThat(home.everything()).isEqualTo(before);
  }

  @Test
  void linksInItsPagesLeadToFilesThatAreInIt() throws IOException {
    List<String> dead = new ArrayList<>();
    int links = 0;
    for (Path page : pages()) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        links++;
        Path target = page.resolveSibling(link.group(1));
        if (!link.group(1).contains("://") && !Files.exists(target)) {
          dead.add(release.relativize(page) + ": " + link.group(1));
        }
      }
    }

    assertThat(dead).isEmpty();
    assertThat(links).isGreaterThan(50);
  }

  private List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(release)) {
      return files.filter(file -> file.toString().endsWith(".md")).toList();
    }
  }

  /** What else there is would not be installed. */
  @Test
  void itHasWhatIsInstalledAndNothingBeside() throws IOException {
    try (Stream<Path> entries = Files.list(release)) {
      assertThat(entries.map(entry -> entry.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(Release.ENTRIES);
    }
  }

  @Test
  void itHasTheJarsOfOneVersion() throws IOException {
    for (String directory : List.of("jars", "lib")) {
      try (Stream<Path> jars = Files.list(release.resolve(directory))) {
        assertThat(jars.map(jar -> jar.getFileName().toString().replaceAll("-\\d.*", "")))
            .isNotEmpty()
            .doesNotHaveDuplicates();
      }
    }
  }

  @Test
  void aJavaThatDoesNotStartIsSaid() throws IOException, InterruptedException {
    Path java = directory.resolve("jdk/bin/java");
    StandInHome.writeTo(java, "#!/bin/sh\necho no memory >&2\nexit 1\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();

    Outcome outcome =
        run(
            Map.of("JAVA_HOME", directory.resolve("jdk").toString()),
            List.of(release + "/bin/orchestra", "doctor"));

    assertThat(outcome.output())
        .isEqualToIgnoringNewLines(
            "orchestra: %s does not start: no memory: set JAVA_HOME to Java 17 or newer"
                .formatted(java));
    assertThat(outcome.status()).isEqualTo(2);
  }

  @Test
  void aJavaHomeWithoutJavaIsSaidThoughThereIsOneOnThePath()
      throws IOException, InterruptedException {
    Path wrong = Files.createDirectory(directory.resolve("no JDK"));
    Map<String, String> environment =
        Map.of(
            "JAVA_HOME",
            wrong.toString(),
            "PATH",
            System.getProperty("java.home") + "/bin" + File.pathSeparator + System.getenv("PATH"));
    Path sources = Path.of("..").toAbsolutePath().normalize();

    for (Path root : List.of(release, sources)) {
      Outcome outcome = run(environment, List.of(root + "/bin/orchestra", "doctor"));
      assertThat(outcome.output())
          .as("%s", root)
          .isEqualToIgnoringNewLines(
              "orchestra: JAVA_HOME=%s has no bin/java: correct it or unset it".formatted(wrong));
      assertThat(outcome.status()).as("%s", root).isEqualTo(root.equals(release) ? 2 : 3);
    }
  }

  /** What is installed can look after itself, where the archive no longer is. */
  @Test
  void theInstalledCopyIsACommandToo() throws IOException, InterruptedException {
    assertThat(orchestra("install", "--role", "datanode").status()).isZero();
    String installed = home.root().resolve("orchestra/current/bin/orchestra").toString();

    Outcome again =
        run(installed, "install", "--hadoop-home", home.root().toString(), "--role", "datanode");
    assertThat(again.output()).contains("is installed in " + home.root() + " already.");

    Outcome uninstall = run(installed, "uninstall", "--hadoop-home", home.root().toString());
    assertThat(uninstall.status()).as(uninstall.output()).isZero();
    assertThat(home.root().resolve("orchestra")).doesNotExist();
  }

  /** As on two hosts that share the home. */
  @Test
  void rolesThatTwoProgramsInstallAtTheSameTimeAreBothKept()
      throws IOException, InterruptedException {
    List<Process> installers = new ArrayList<>();
    for (String role : List.of("namenode", "datanode")) {
      installers.add(
          builder(Map.of(), installing(role))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start());
    }
    for (Process installer : installers) {
      assertThat(installer.waitFor()).isZero();
    }

    assertThat(orchestra("doctor").output())
        .contains("is installed for namenode, datanode, client");
  }

  /** The command alone gets the signal here, where a terminal tells all that it has begun. */
  @Test
  void aSignalEndsTheDoctorWithAllThatItHasBegun() throws IOException, InterruptedException {
    Path pid = directory.resolve("pid");
    home.write(
        "etc/hadoop/hadoop-env.sh", "bash -c 'echo $$ > %s; exec sleep 3600'\n".formatted(pid));
    Process doctor =
        builder(
                Map.of(),
                List.of(
                    release + "/bin/orchestra", "doctor", "--hadoop-home", home.root().toString()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<ProcessHandle> begun = new ArrayList<>();
    try {
      await().atMost(LONGEST).until(() -> Files.exists(pid) && !Files.readString(pid).isBlank());
      doctor.descendants().forEach(begun::add);
      assertThat(begun)
          .as("the examination, a script, and what blocks it")
          .hasSize(3)
          .extracting(ProcessHandle::pid)
          .contains(Long.parseLong(Files.readString(pid).strip()));

      doctor.destroy();

      await().atMost(LONGEST).until(() -> begun.stream().noneMatch(ArchiveIT::runs));
      assertThat(doctor.waitFor()).isEqualTo(TERMINATED);
    } finally {
      // If they live on, they may have begun more.
      List<ProcessHandle> more = begun.stream().flatMap(ProcessHandle::descendants).toList();
      begun.forEach(ProcessHandle::destroyForcibly);
      more.forEach(ProcessHandle::destroyForcibly);
      doctor.destroyForcibly();
    }
  }

  /** One that has ended, and whose end nobody has asked for, has no command. */
  private static boolean runs(ProcessHandle handle) {
    return handle.isAlive() && handle.info().command().isPresent();
  }

  @Test
  void theDoctorsStatusTellsProblemsFromWhatItCouldNotSee()
      throws IOException, InterruptedException {
    configureAll();
    Outcome notInstalled = orchestra("doctor");
    assertThat(notInstalled.status()).isEqualTo(1);
    assertThat(notInstalled.output())
        .contains("is not on its class path: the NameNode does not start\n         remedy: ");

    assertThat(orchestra("install", "--role", ALL_DAEMONS).status()).isZero();
    Outcome live = orchestra("doctor", "--live");
    assertThat(live.output())
        .contains("unknown  hdfs-placement: http://")
        .contains("unknown  broadcast-cache: http://")
        .contains("unknown  mapreduce-shuffle: http://127.0.0.1:1 does not tell")
        .contains("unknown  prefetch-scheduler: http://");
    assertThat(live.status()).isEqualTo(2);

    assertThat(run(release + "/bin/orchestra", "doctor", "--hadoop-home", "/nowhere").status())
        .isEqualTo(2);
  }

  /** By the commands of the page, as they stand there; a directory is in HDFS's place. */
  @Test
  void ourJarGetsIntoTheArchiveThatTasksTakeHadoopFrom() throws IOException, InterruptedException {
    assertThat(orchestra("install", "--role", ALL_DAEMONS).status()).isZero();
    configureAll();
    Path site = home.configuration().resolve("mapred-site.xml");
    Files.writeString(
        site,
        Files.readString(site)
            .replace("$HADOOP_MAPRED_HOME/", "$PWD/mr-framework/")
            .replace("orchestra/current/orchestra-client.jar", "orchestra/orchestra-client.jar")
            .replace(
                "</configuration>",
                "<property><name>mapreduce.application.framework.path</name>"
                    + "<value>hdfs:///mapred/framework/hadoop-mapreduce-orchestra.tar.gz#mr-framework</value>"
                    + "</property></configuration>"));
    Outcome unseen = orchestra("doctor");
    assertThat(unseen.output()).contains("unknown  task: takes Hadoop from the archive");
    assertThat(unseen.status()).isEqualTo(2);

    Path work = Files.createDirectories(directory.resolve("work"));
    Outcome packed =
        run(
            "bash",
            "-ec",
            """
            cd "$1"
            mkdir -p hdfs stock/share/hadoop/mapreduce
            tar -czf hdfs/hadoop-mapreduce.tar.gz -C stock .
            hdfs() { if [ "$2" = -get ]; then cp "hdfs/${3##*/}" .; else cp "$3" hdfs/; fi; }
            %s
            mkdir unpacked
            tar -xzf hdfs/hadoop-mapreduce-orchestra.tar.gz -C unpacked
            """
                .formatted(packing().replace("/opt/hadoop", home.root().toString())),
            "bash",
            work.toString());
    assertThat(packed.status()).as(packed.output()).isZero();

    for (String unpacked : List.of("framework", "unpacked")) {
      Outcome seen = orchestra("doctor", "--framework", work.resolve(unpacked).toString());
      assertThat(seen.output())
          .contains("ok       task: 3 classes of ours on its class path, each once")
          .contains("task: orchestra/orchestra-client.jar of the archive hdfs:///mapred")
          .contains("is the jar that is installed");
      assertThat(seen.status()).as(seen.output()).isZero();
    }
  }

  private String packing() throws IOException {
    List<String> commands =
        Files.readAllLines(release.resolve("docs/install.md")).stream()
            .dropWhile(line -> !line.startsWith("    hdfs dfs -get "))
            .takeWhile(line -> line.startsWith("    "))
            .toList();
    assertThat(commands).hasSize(5);
    return String.join("\n", commands);
  }

  /** As where a distribution keeps it below {@code /etc}. */
  @Test
  void aConfigurationElsewhereIsFoundByItsVariableAndByItsName()
      throws IOException, InterruptedException {
    assertThat(orchestra("install", "--role", ALL_DAEMONS).status()).isZero();
    configureAll();
    Path elsewhere = directory.resolve("their conf");
    Files.move(home.configuration(), elsewhere);
    List<String> doctor =
        List.of(release + "/bin/orchestra", "doctor", "--hadoop-home", home.root().toString());
    List<String> uninstall =
        List.of(release + "/bin/orchestra", "uninstall", "--hadoop-home", home.root().toString());
    List<String> named = List.of("--conf", elsewhere.toString());
    Map<String, String> variable = Map.of("HADOOP_CONF_DIR", elsewhere.toString());

    for (Outcome found :
        List.of(run(variable, doctor), run(Map.of(), concatenated(doctor, named)))) {
      assertThat(found.output()).contains("ok       the configuration is " + elsewhere);
      assertThat(found.status()).as(found.output()).isZero();
    }
    for (Outcome refused :
        List.of(run(variable, uninstall), run(Map.of(), concatenated(uninstall, named)))) {
      assertThat(refused.output()).contains("still names classes").contains(elsewhere.toString());
      assertThat(refused.status()).isEqualTo(1);
    }
    assertThat(run(Map.of(), doctor).output())
        .contains("unknown  there is no site file in " + home.configuration());
    // Nothing tells that there is another.
    Outcome unknown = run(Map.of(), uninstall);
    assertThat(unknown.status()).isEqualTo(1);
    assertThat(unknown.output())
        .contains("there is no site file in " + home.configuration())
        .contains("remedy: name the directory that has them, with --conf");
  }

  @Test
  void wrongWordsAreRefusedWithTheRemedy() throws IOException, InterruptedException {
    Outcome role = orchestra("install", "--role", "worker");
    assertThat(role.status()).isEqualTo(2);
    assertThat(role.output()).contains("'worker' is not a role").contains("remedy: ");

    Outcome noHome =
        run(release + "/bin/orchestra", "install", "--hadoop-home", "/nowhere", "--role", "client");
    assertThat(noHome.status()).isEqualTo(1);
    assertThat(noHome.output()).contains("/nowhere is not a Hadoop home").contains("remedy: ");
  }

  @Test
  void whoMayNotWriteIsToldWhoMay() throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(installing("client"));
    // Permissions do not bind root.
    if (run("id", "-u").output().strip().equals("0")) {
      words.addAll(0, List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    } else {
      assertThat(run("chmod", "-w", home.root().toString()).status()).isZero();
    }

    Outcome outcome = run(words.toArray(String[]::new));

    assertThat(run("chmod", "u+w", home.root().toString()).status()).isZero();
    assertThat(outcome.output())
        .contains("no permission to write " + home.root())
        .contains("remedy: run this as the user who owns " + home.root());
    assertThat(outcome.status()).isEqualTo(1);
  }

  private void configureAll() throws IOException {
    for (String file : SITES) {
      Files.copy(
          release.resolve("conf/all").resolve(file),
          home.configuration().resolve(file),
          StandardCopyOption.REPLACE_EXISTING);
    }
    Path yarn = home.configuration().resolve("yarn-site.xml");
    Files.writeString(
        yarn,
        Files.readString(yarn)
            .replace(
                "</configuration>",
                "<property><name>yarn.nodemanager.env-whitelist</name>"
                    + "<value>HADOOP_MAPRED_HOME</value></property></configuration>"));
  }

  /** Links to what this test runs on, but for classes of ours. */
  private void jarsOfHadoop() throws IOException {
    Path lib = Files.createDirectories(home.root().resolve("share/hadoop/common/lib"));
    int number = 0;
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path jar = Path.of(entry);
      if (entry.endsWith(".jar") && !jar.getFileName().toString().startsWith("orchestra-")) {
        Files.createSymbolicLink(lib.resolve(number++ + "-" + jar.getFileName()), jar);
      }
    }
  }

  private Outcome orchestra(String command, String... words)
      throws IOException, InterruptedException {
    List<String> all =
        new ArrayList<>(
            List.of(release + "/bin/orchestra", command, "--hadoop-home", home.root().toString()));
    all.addAll(List.of(words));
    return run(all.toArray(String[]::new));
  }

  private static List<String> concatenated(List<String> words, List<String> more) {
    return Stream.of(words, more).flatMap(List::stream).toList();
  }

  private static Outcome run(String... words) throws IOException, InterruptedException {
    return run(Map.of(), List.of(words));
  }

  private List<String> installing(String role) {
    return List.of(
        release + "/bin/orchestra",
        "install",
        "--hadoop-home",
        home.root().toString(),
        "--role",
        role);
  }

  private static Outcome run(Map<String, String> environment, List<String> words)
      throws IOException, InterruptedException {
    Process process = builder(environment, words).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), output);
  }

  private static ProcessBuilder builder(Map<String, String> environment, List<String> words) {
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().keySet().removeAll(List.of("HADOOP_HOME", "HADOOP_CONF_DIR"));
    builder.environment().putAll(environment);
    return builder;
  }
}
