package io.orchestra.hadoop.operator.doctor;

import static io.orchestra.hadoop.operator.doctor.ExaminedHost.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.operator.doctor.Finding.Level;
import io.orchestra.hadoop.operator.install.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the doctor says where tasks take Hadoop from an archive. */
final class FrameworkCheckTest {
  private static final String ARCHIVE = "hdfs:///mr.tar.gz#mr-framework";
  private static final String JAR = "orchestra/orchestra-client.jar";

  @TempDir private Path directory;
  private ExaminedHost host;
  private Path unpacked;

  @BeforeEach
  void tasksTakeHadoopFromAnArchive() throws IOException {
    host = ExaminedHost.with(directory.resolve("host"), Role.CLIENT);
    unpacked = Files.createDirectories(directory.resolve("unpacked"));
    Files.createDirectories(unpacked.resolve("orchestra"));
    host.mapred().put("mapreduce.application.framework.path", ARCHIVE);
    host.mapred()
        .put(
            "mapreduce.application.classpath",
            "$HADOOP_CONF_DIR,$PWD/mr-framework/share/hadoop/mapreduce/*,$PWD/mr-framework/" + JAR);
    host.mapred().put("yarn.app.mapreduce.am.preemption.policy", ExaminedHost.AGENT);
  }

  @Test
  void whatAnArchiveHoldsIsNotKnown() throws IOException, InterruptedException {
    Findings findings = host.examine();

    assertThat(texts(findings, Level.UNKNOWN))
        .containsExactly(
            "task: takes Hadoop from the archive %s, into which this does not look"
                .formatted(ARCHIVE));
    assertThat(findings.exitStatus()).isEqualTo(2);
  }

  @Test
  void whereNoJobNeedsOurJarThatIsOnlyNoted() throws IOException, InterruptedException {
    host.mapred().remove("yarn.app.mapreduce.am.preemption.policy");

    Findings findings = host.examine();

    assertThat(texts(findings, Level.NOTE))
        .anyMatch(text -> text.endsWith("into which this does not look"));
    assertThat(findings.exitStatus()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"$PWD/", "${PWD}/", "{{PWD}}/", "./", ""})
  void anUnpackedOneIsLookedInto(String place) throws IOException, InterruptedException {
    host.mapred().put("mapreduce.application.classpath", place + "mr-framework/" + JAR);
    Path unusedCopy = Files.copy(installed(), unpacked.resolve(JAR));
    host.framework(unpacked);

    Findings findings = host.examine();

    assertThat(texts(findings, Level.OK))
        .contains(
            "task: 1 class of ours on its class path, each once",
            "task: %s of the archive %s is the jar that is installed".formatted(JAR, ARCHIVE));
    assertThat(findings.exitStatus()).isZero();
  }

  @Test
  void withoutAFragmentItHasTheNameOfItsFile() throws IOException, InterruptedException {
    host.mapred().put("mapreduce.application.framework.path", "hdfs:///lib/mr.tar.gz");
    host.mapred().put("mapreduce.application.classpath", "$PWD/mr.tar.gz/" + JAR);
    Path unusedCopy = Files.copy(installed(), unpacked.resolve(JAR));
    host.framework(unpacked);

    assertThat(host.examine().exitStatus()).isZero();
  }

  @Test
  void oneWithoutOurJarIsAProblemWhereJobsNeedIt() throws IOException, InterruptedException {
    host.framework(unpacked);

    assertThat(host.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.text())
                  .endsWith("is not on its class path: no application master starts");
              assertThat(problem.remedy()).startsWith("put orchestra-client.jar into the archive");
            });
    assertThat(texts(host.examine(), Level.NOTE))
        .contains("task: no jar of ours in the archive %s is on its class path".formatted(ARCHIVE));
  }

  /** Containers have no jar of the home on their class path then. */
  @Test
  void whatTheHomeHasDoesNotCount() throws IOException, InterruptedException {
    host.yarn().put("yarn.application.classpath", installed().toString());
    host.framework(unpacked);

    assertThat(host.problems()).hasSize(1);
  }

  @Test
  void aJarOfAnotherVersionIsNoted() throws IOException, InterruptedException {
    ExaminedHost.classes(unpacked.resolve(JAR), ExaminedHost.AGENT);
    host.framework(unpacked);

    Findings findings = host.examine();

    assertThat(texts(findings, Level.NOTE))
        .contains(
            "task: %s of the archive %s is not the jar that is installed".formatted(JAR, ARCHIVE));
    assertThat(findings.exitStatus()).isZero();
  }

  /** Then it is there twice, once from the host. */
  @Test
  void whatIsInTheArchiveAndInTheHomeIsAProblem() throws IOException, InterruptedException {
    Path unusedCopy = Files.copy(installed(), unpacked.resolve(JAR));
    host.mapred()
        .merge(
            "mapreduce.application.classpath",
            ",$HADOOP_MAPRED_HOME/orchestra/current/orchestra-client.jar",
            String::concat);
    host.framework(unpacked);

    assertThat(host.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.text()).contains("is on its class path 2 times");
              assertThat(problem.remedy())
                  .isEqualTo(
                      "leave one of them: in the archive, and in mapreduce.application.classpath");
            });
  }

  @Test
  void whoTakesOurJarFromAHomeThatContainersDoNotKnowIsTold()
      throws IOException, InterruptedException {
    host.yarn().put("yarn.nodemanager.env-whitelist", "JAVA_HOME");
    host.mapred()
        .put(
            "mapreduce.application.classpath",
            "$PWD/mr-framework/*,$HADOOP_MAPRED_HOME/orchestra/current/orchestra-client.jar");
    host.framework(unpacked);

    assertThat(host.problems())
        .singleElement()
        .satisfies(
            problem -> assertThat(problem.text()).contains("is told by $HADOOP_MAPRED_HOME"));
    assertThat(texts(host.examine(), Level.NOTE))
        .contains("task: no jar of ours in the archive %s is on its class path".formatted(ARCHIVE));
  }

  @Test
  void whereTasksAreNotLookedAtItIsNotLookedInto() throws IOException, InterruptedException {
    host.framework(unpacked);

    assertThat(texts(host.examine(Role.DATANODE), Level.NOTE))
        .contains("--framework is not looked into: tasks are not looked at");
  }

  @Test
  void aNameThatTheClassPathLacksMeansThatNoJobCanBeSubmitted()
      throws IOException, InterruptedException {
    host.mapred().remove("mapreduce.application.classpath");

    assertThat(host.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.text())
                  .isEqualTo(
                      "task: no job can be submitted: mapreduce.application.classpath names nothing in mr-framework, as the archive %s is called in containers"
                          .formatted(ARCHIVE));
              assertThat(problem.remedy()).contains("$PWD/mr-framework/");
            });
  }

  /** Hadoop does not trim it. */
  @ParameterizedTest
  @ValueSource(strings = {"hdfs:///my archive.tar.gz", " hdfs:///mr.tar.gz", " "})
  void anArchiveThatIsNoUriIsAProblem(String path) throws IOException, InterruptedException {
    host.mapred().put("mapreduce.application.framework.path", path);

    assertThat(host.problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.text()).contains("is no URI"));
  }

  @Test
  void whatIsNoDirectoryCannotBeLookedInto() throws IOException, InterruptedException {
    host.framework(directory.resolve("mr.tar.gz"));

    assertThat(texts(host.examine(), Level.UNKNOWN))
        .containsExactly(
            "--framework is %s, which is no directory".formatted(directory.resolve("mr.tar.gz")));
  }

  @Test
  void toNameOneThatNobodyUsesIsAProblem() throws IOException, InterruptedException {
    host.mapred().remove("mapreduce.application.framework.path");
    host.framework(unpacked);

    assertThat(host.problems())
        .anySatisfy(
            problem -> assertThat(problem.text()).contains("tasks take Hadoop from its home"));
  }

  private Path installed() {
    return host.home().root().resolve("orchestra/current/orchestra-client.jar");
  }
}
