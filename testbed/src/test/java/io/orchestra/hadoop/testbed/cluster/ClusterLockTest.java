package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.TestbedException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClusterLockTest {
  @TempDir private Path directory;

  @Test
  void heldLockCannotBeTakenAgainNotEvenByThisProcess() {
    Path file = directory.resolve("lock");
    try (ClusterLock ignored = ClusterLock.take(file, "busy")) {
      assertThatThrownBy(() -> ClusterLock.take(file, "busy"))
          .isInstanceOf(TestbedException.class)
          .hasMessage("another orchestra command is busy: wait for its end");
      assertThatThrownBy(() -> ClusterLock.await(file, "busy", 0))
          .hasMessageContaining("another command that is busy");
    }
    ClusterLock.take(file, "busy").close();
    ClusterLock.await(file, "busy", 0).close();
  }

  @Test
  void clusterNamedAsAnotherLockIsNoProblem() {
    TestbedHome home = new TestbedHome(directory);
    home.prepareDirectories();
    try (ClusterLock hadoop = ClusterLock.await(home.hadoopLock(), "assembling", 0);
        ClusterLock demo = ClusterLock.take(home.demoLock(), "demonstrating")) {
      ClusterLock.take(home, "hadoop").close();
      ClusterLock.take(home, "demo").close();
    }
  }
}
