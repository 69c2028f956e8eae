package io.orchestra.hadoop.testbed.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.process.ProcDirectory;
import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HostProcessesTest {
  @TempDir private Path proc;
  @TempDir private Path clusters;

  private HostProcesses hosts;
  private String identity;

  @BeforeEach
  void findsNothingAtFirst() {
    hosts = new HostProcesses(clusters.resolve("one"), new ProcessTable(proc));
    identity = FileTree.identity(clusters);
    assertThat(hosts.running()).isEmpty();
  }

  @Test
  void hostIsTheFirstProcessOfItsNamespaceWithTheMarker() throws IOException {
    process(10, "10", 0, identity, "one");
    process(11, "11\t1", 0, identity, "one");
    assertThat(hosts.running()).isEqualTo(Map.of("r1h1", new ProcessIdentity(11, 11)));
  }

  @Test
  void otherClustersAndEqualPathsElsewhereAreNotOurs() throws IOException {
    process(11, "11\t1", 0, identity, "two");
    process(12, "12\t1", 0, "1:2", "one");
    assertThat(hosts.running()).isEmpty();
    assertThat(HostProcesses.clusters(clusters, new ProcessTable(proc))).containsExactly("two");
  }

  @Test
  void onlyRootMakesHosts() throws IOException {
    process(11, "11\t1", 1000, identity, "one");
    assertThat(hosts.running()).isEmpty();
    assertThat(HostProcesses.clusters(clusters, new ProcessTable(proc))).isEmpty();
  }

  private void process(int pid, String namespacePids, long user, String directory, String cluster)
      throws IOException {
    ProcDirectory.addProcess(
        proc,
        pid,
        "S",
        pid,
        namespacePids,
        user,
        "bash",
        "init.sh",
        HostProcesses.MARKER,
        clusters.toString(),
        directory,
        cluster,
        "r1h1",
        "/host");
  }
}
