package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestbedHomeTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "Big", "a/b", "..", "-a", "a b"})
  void badNamesOfClustersAreRefused(String name) {
    assertThatThrownBy(() -> new TestbedHome(Path.of("/t")).cluster(name))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("is no name for a cluster");
  }

  @Test
  void clustersShareNoDirectory() {
    TestbedHome home = new TestbedHome(Path.of("/t"));
    assertThat(home.cluster("one").root()).isNotEqualTo(home.cluster("two").root());
    assertThat(home.clusterLock("one")).isNotEqualTo(home.clusterLock("two"));
    assertThat(home.clusterLock("hadoop")).isNotEqualTo(home.hadoopLock());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/tmp/x", "/etc/x", "/etc"})
  void placesThatHostsHideAreRefused(String place) {
    assertThatThrownBy(() -> TestbedHome.requireVisible(Path.of(place), "go elsewhere"))
        .hasMessageContaining("cannot be seen on emulated hosts")
        .hasMessageContaining("go elsewhere");
  }

  @Test
  void placesThatOtherUsersCannotEnterAreRefused(@TempDir Path directory) {
    Path closed = FileTree.directory(directory.resolve("closed"), "rwx------");
    Path inside = FileTree.directory(closed.resolve("inside"));
    assertThatThrownBy(() -> TestbedHome.requireVisible(inside, "go elsewhere"))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("go elsewhere");
  }
}
