package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.cli.Orchestra;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Jvm;
import io.orchestra.hadoop.testbed.host.HostProcesses;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The command itself, stopped in the middle of {@code cluster up}. */
final class InterruptedStartIT {
  private final String name = "it-interrupted-" + ProcessHandle.current().pid();
  private final TestbedHome home = TestCluster.home();
  private final ClusterDirectory directory = home.cluster(name);
  private HostProcesses hosts;
  private Process command;

  @BeforeEach
  void start() throws IOException {
    TestCluster.assumePossible();
    home.prepare();
    // Making the archive of Hadoop's classes is no part of what is tried here.
    Progress progress = Progress.onStandardError();
    ClusterSpec spec = TestCluster.spec("interrupted", List.of());
    new ClassRecording(home, TestCluster.project(), progress)
        .before(spec, new HadoopHomes(home, progress).of(spec));
    hosts = new HostProcesses(directory.root(), ProcessTable.ofThisMachine());
    command =
        new ProcessBuilder(
                List.of(
                    Jvm.program(),
                    "-Dorchestra.project.root=" + TestCluster.project().root(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    Orchestra.class.getName(),
                    "cluster",
                    "up",
                    "--name",
                    name,
                    "--no-yarn",
                    "--racks",
                    "1"))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD)
            .start();
    Waiting.until(this::nameNodeWrites, "the first lines of the NameNode", 300);
  }

  @AfterEach
  void stop() {
    if (command != null) {
      command.destroyForcibly();
      new ClusterTeardown(home).down(name);
    }
  }

  @Test
  void terminatedStartStopsWhatItStartedAndKeepsTheLogs() {
    command.destroy();
    assertThat(command.onExit().join().exitValue()).isEqualTo(128 + 15);
    assertThat(hosts.running()).isEmpty();
    assertThat(directory.log("m1", Daemon.NAMENODE)).isNotEmptyFile();
  }

  @Test
  void killedStartIsCleanedUpByDownThoughTheStateIsLost() {
    command.destroyForcibly().onExit().join();
    assertThat(hosts.running()).hasSize(4);
    FileTree.delete(directory.state());
    assertThat(home.clusterNames()).contains(name);
    assertThat(new ClusterTeardown(home).down(name)).isTrue();
    assertThat(hosts.running()).isEmpty();
    assertThat(directory.root()).doesNotExist();
  }

  private boolean nameNodeWrites() {
    Path log = directory.log("m1", Daemon.NAMENODE);
    try {
      return Files.exists(log) && Files.size(log) > 0;
    } catch (IOException e) {
      return false;
    }
  }
}
