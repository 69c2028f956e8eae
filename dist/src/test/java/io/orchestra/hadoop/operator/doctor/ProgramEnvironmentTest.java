package io.orchestra.hadoop.operator.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.operator.StandInHome;
import io.orchestra.hadoop.operator.install.HadoopHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scripts of operators that begin a program which does not end. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ProgramEnvironmentTest {
  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final String ENDLESS = "bash -c 'echo $$ > %s; exec sleep 3600'";

  @TempDir private Path directory;

  private StandInHome home;
  private Path pid;

  @BeforeEach
  void unpack() {
    home = new StandInHome(directory.resolve("hadoop"), "3.5.0");
    pid = directory.resolve("pid");
  }

  @AfterEach
  void end() throws IOException {
    program().ifPresent(ProcessHandle::destroyForcibly);
  }

  @Test
  void aScriptThatBlocksIsEndedWithAllThatItBegan() {
    home.write("etc/hadoop/hadoop-env.sh", ENDLESS.formatted(pid) + "\n");

    assertThatThrownBy(() -> environment(Duration.ofSeconds(2)))
        .isInstanceOf(IOException.class)
        .hasMessage("no end after 2 s");

    await().atMost(LONGEST).until(() -> program().isEmpty());
  }

  @Test
  void whoIsInterruptedEndsTheScriptWithAllThatItBegan() throws InterruptedException {
    home.write("etc/hadoop/hadoop-env.sh", ENDLESS.formatted(pid) + "\n");
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Future<ProgramEnvironment> asked = thread.submit(() -> environment(Duration.ofMinutes(1)));
    await().atMost(LONGEST).until(() -> program().isPresent());

    List<Runnable> unused = thread.shutdownNow();

    assertThatThrownBy(asked::get).hasCauseInstanceOf(InterruptedException.class);
    await().atMost(LONGEST).until(() -> program().isEmpty());
  }

  @Test
  void aProgramThatAScriptLeavesBehindIsNotWaitedFor() throws IOException, InterruptedException {
    home.write("etc/hadoop/hadoop-env.sh", ENDLESS.formatted(pid) + " &\n");

    ProgramEnvironment environment = environment(Duration.ofMinutes(1));

    assertThat(environment.java().version()).isPositive();
    assertThat(environment.java().isOfShell()).isFalse();
    assertThat(environment.classPath().entries()).contains(home.configuration().toRealPath());
    await().atMost(LONGEST).until(() -> program().isPresent());
  }

  @Test
  void whatTheScriptsComplainOfIsTold() {
    // As hadoop_exit_with_usage does.
    home.write(
        "libexec/hdfs-config.sh",
        """
        echo 'ERROR: Cannot find configuration directory "/nowhere"' >&2
        if declare -F hadoop_usage > /dev/null; then
          hadoop_usage
        else
          echo "Sorry, no help available." >&2
        fi
        exit 1
        """);

    assertThatThrownBy(() -> environment(Duration.ofMinutes(1)))
        .isInstanceOf(IOException.class)
        .hasMessage("ERROR: Cannot find configuration directory \"/nowhere\"");
  }

  /** As Hadoop's scripts do; daemons may be started where that is another one. */
  @Test
  void aJavaThatOnlyTheEnvironmentNamesIsKnownAsSuch() throws IOException, InterruptedException {
    home.write(
        "etc/hadoop/hadoop-env.sh",
        """
        if [ -z "$JAVA_HOME" ]; then
          echo "ERROR: JAVA_HOME is not set and could not be found." >&2
          exit 1
        fi
        """);

    assertThat(environment(Duration.ofMinutes(1)).java())
        .isEqualTo(new ProgramEnvironment.Java(Runtime.version().feature(), true));
  }

  private ProgramEnvironment environment(Duration longest)
      throws IOException, InterruptedException {
    return ProgramEnvironment.of(
        Program.NAMENODE,
        HadoopHome.open(home.root()),
        home.configuration(),
        longest,
        Optional.of(System.getProperty("java.home")));
  }

  /** What the script has begun, while it runs: one that has ended has no command. */
  private Optional<ProcessHandle> program() throws IOException {
    if (!Files.exists(pid) || Files.readString(pid).isBlank()) {
      return Optional.empty();
    }
    return ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
        .filter(handle -> handle.info().command().isPresent());
  }
}
