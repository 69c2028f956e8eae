package io.orchestra.hadoop.testbed.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.files.FileTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcessTableTest {
  @TempDir private Path proc;

  @Test
  void readsIdentityNamespaceAndCommandLine() throws IOException {
    process(42, "S", 1234, "42\t1", "bash", "init.sh", "a b");
    RunningProcess process = new ProcessTable(proc).find(42).orElseThrow();
    assertThat(process.identity()).isEqualTo(new ProcessIdentity(42, 1234));
    assertThat(process.pidNamespace()).isEqualTo("pid:[1]");
    assertThat(process.first()).isTrue();
    assertThat(process.runs(List.of("init.sh", "a b"))).isTrue();
    assertThat(process.runs(List.of("a b", "init.sh"))).isFalse();
  }

  @Test
  void firstProcessOfTheMachineIsNoHost() throws IOException {
    process(1, "S", 1, "1", "init");
    assertThat(new ProcessTable(proc).find(1).orElseThrow().first()).isFalse();
  }

  @Test
  void recycledPidIsNotTakenForTheOldProcess() throws IOException {
    process(42, "S", 1234, "42", "other");
    ProcessTable table = new ProcessTable(proc);
    assertThat(table.isAlive(new ProcessIdentity(42, 1234))).isTrue();
    assertThat(table.isAlive(new ProcessIdentity(42, 999))).isFalse();
    assertThat(table.isAlive(new ProcessIdentity(43, 1234))).isFalse();
  }

  @Test
  void recycledPidIsNotKilled() throws IOException {
    Process victim = new ProcessBuilder("sleep", "60").start();
    try {
      ProcessTable table = ProcessTable.ofThisMachine();
      ProcessIdentity now = table.find(victim.pid()).orElseThrow().identity();
      table.kill(new ProcessIdentity(now.pid(), now.startTicks() - 1));
      assertThat(victim.isAlive()).isTrue();
      table.kill(now);
      assertThat(victim.onExit().join().isAlive()).isFalse();
    } finally {
      victim.destroyForcibly();
    }
  }

  @Test
  void aPausedProcessStandsStillUntilItIsResumed() throws IOException {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      ProcessTable table = ProcessTable.ofThisMachine();
      ProcessIdentity identity = table.find(process.pid()).orElseThrow().identity();
      table.pause(identity);
      Waiting.until(() -> state(process).equals("T"), "the process to stand still", 60);
      assertThat(table.isAlive(identity)).isTrue();
      table.resume(identity);
      Waiting.until(() -> !state(process).equals("T"), "the process to go on", 60);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String state(Process process) {
    String stat = FileTree.read(Path.of("/proc/" + process.pid() + "/stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).substring(0, 1);
  }

  @Test
  void aProcessThatHasEndedIsNotPaused() {
    assertThatThrownBy(() -> ProcessTable.ofThisMachine().pause(new ProcessIdentity(1, -1)))
        .hasMessageContaining("process 1 has ended");
  }

  @Test
  void zombiesAreGone() throws IOException {
    process(42, "Z", 1234, "42", "");
    assertThat(new ProcessTable(proc).find(42)).isEmpty();
    assertThat(new ProcessTable(proc).all()).isEmpty();
  }

  private void process(int pid, String state, long ticks, String namespacePids, String... words)
      throws IOException {
    ProcDirectory.addProcess(proc, pid, state, ticks, namespacePids, words);
  }
}
