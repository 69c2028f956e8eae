package io.orchestra.hadoop.integration.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.integration.EmulatedHosts;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.cluster.WebClient;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Jvm;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.Rate;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Application masters and tasks that take all of Hadoop from an archive in HDFS, and our jar with
 * it, as {@code docs/install.md} says.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
@Tag("operations")
final class FrameworkArchiveIT {
  private static final String OURS = "$PWD/mr-framework/orchestra/orchestra-client.jar";
  private static final Pattern LACKS_OURS =
      Pattern.compile("Class io\\.orchestra\\.hadoop\\.prefetch\\.PrefetchAgent not found");
  private static final Duration LONGEST_JOB = Duration.ofMinutes(5);

  private static final String JVM = String.join(" ", Jvm.options(200));

  /** What an operator does, with the Hadoop home as its argument. */
  private static final String MAKE_ARCHIVE =
      """
      mkdir -p /tmp/framework/orchestra
      cp -rL "$1/share" /tmp/framework/
      cp /tmp/orchestra-client.jar /tmp/framework/orchestra/
      tar -cf /tmp/mr.tar -C /tmp/framework .
      """;

  private RunningCluster running;
  private int passed;

  @BeforeAll
  void start() throws IOException {
    EmulatedHosts.assumePossible();
    running =
        EmulatedHosts.start(
            ClusterSpec.of(
                    "it-archive-" + ProcessHandle.current().pid(),
                    1,
                    2,
                    Rate.UNLIMITED,
                    Rate.UNLIMITED)
                .with(
                    List.of(Plugin.SHUFFLE, Plugin.PREFETCH),
                    List.of(new Setting(Site.HDFS, "dfs.replication", "1"))));
    Path unusedCopy =
        Files.copy(
            EmulatedHosts.clientJar(),
            running.cluster().directory().host("m1").resolve("tmp/orchestra-client.jar"));
    String unusedOutput =
        running
            .cluster()
            .firstMaster()
            .command(
                Optional.of(Account.ALICE),
                List.of(
                    "bash",
                    "-ec",
                    MAKE_ARCHIVE,
                    "bash",
                    running.cluster().state().hadoop().root().toString()))
            .output();
    succeed("hdfs", "dfs", "-put", "/tmp/mr.tar", "mr.tar");
    succeed("hdfs", "dfs", "-put", "/etc/services", "input");
  }

  @AfterAll
  void stop() {
    if (running != null) {
      if (passed == 2) {
        running.succeeded();
      }
      running.close();
    }
  }

  @Test
  void jobsFindOurClassesInTheArchive() {
    Command.Outcome outcome = count("with", true);

    assertThat(outcome.succeeded()).as(outcome.complaint()).isTrue();
    assertThat(sizesTold()).as("map outputs whose sizes our reducers asked for").isPositive();
    passed++;
  }

  /** Nothing else on the class path of tasks has them. */
  @Test
  void withoutOurJarInTheirClassPathJobsFail() throws IOException {
    assertThat(count("without", false).succeeded()).isFalse();
    assertThat(containerLogs()).anyMatch(log -> LACKS_OURS.matcher(log).find());
    passed++;
  }

  private List<String> containerLogs() throws IOException {
    List<String> logs = new ArrayList<>();
    for (Host worker : running.cluster().plan().workers()) {
      Path root = running.cluster().directory().logs(worker.name()).resolve("containers");
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          logs.add(Files.readString(file));
        }
      }
    }
    return logs;
  }

  private Command.Outcome count(String output, boolean withOurs) {
    List<String> classPath = new ArrayList<>();
    classPath.add(running.cluster().directory().configuration().toString());
    for (String part : List.of("common", "hdfs", "yarn", "mapreduce")) {
      classPath.add("$PWD/mr-framework/share/hadoop/" + part + "/*");
      classPath.add("$PWD/mr-framework/share/hadoop/" + part + "/lib/*");
    }
    if (withOurs) {
      classPath.add(OURS);
    }
    return hadoop(
        "jar",
        "examples",
        "wordcount",
        "-Dmapreduce.application.framework.path=hdfs://m1:8020/user/alice/mr.tar#mr-framework",
        "-Dmapreduce.application.classpath=" + String.join(",", classPath),
        // The testbed's own options have the jars of the release before those of the archive.
        "-Dyarn.app.mapreduce.am.command-opts=" + JVM,
        "-Dmapred.child.java.opts=" + JVM,
        "-Dorchestra.shuffle.gate=always",
        "input",
        output);
  }

  private long sizesTold() {
    WebClient web = running.cluster().web();
    return running.cluster().plan().workers().stream()
        .map(host -> running.cluster().webAddress(host, Daemon.NODEMANAGER))
        .map(address -> web.bean(address, "NodeManager,name=OrchestraShuffleServer"))
        .mapToLong(bean -> bean.orElseThrow().path("SizesAnswered").asLong())
        .sum();
  }

  private void succeed(String... words) {
    Command.Outcome outcome = hadoop(words);
    assertThat(outcome.succeeded()).as(outcome.complaint()).isTrue();
  }

  private Command.Outcome hadoop(String... words) {
    return new HadoopClient(
            running.cluster(), running.cluster().host("m1"), Optional.of(Account.ALICE))
        .hadoop(List.of(words))
        .within(LONGEST_JOB)
        .run();
  }
}
