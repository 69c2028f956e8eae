package io.orchestra.hadoop.testbed.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ReleaseLayoutTest {
  private final ReleaseLayout layout = new ReleaseLayout();

  @Test
  void hadoopsOwnJarsStandBesideTheirKind() {
    assertThat(layout.place("hdfs", "hadoop-hdfs-client-3.5.0.jar"))
        .contains(Path.of("hdfs/hadoop-hdfs-client-3.5.0.jar"));
    assertThat(layout.place("yarn", "hadoop-mapreduce-client-core-3.5.0.jar"))
        .contains(Path.of("mapreduce/hadoop-mapreduce-client-core-3.5.0.jar"));
    assertThat(layout.place("common", "hadoop-auth-3.5.0.jar"))
        .contains(Path.of("common/lib/hadoop-auth-3.5.0.jar"));
  }

  @Test
  void librariesStandOnceWhereTheyAreFirstNeeded() {
    assertThat(layout.place("common", "gson-2.9.0.jar"))
        .contains(Path.of("common/lib/gson-2.9.0.jar"));
    assertThat(layout.place("yarn", "gson-2.9.0.jar")).isEmpty();
  }

  @Test
  void sourcesAndTestClustersStandOffTheClassPath() {
    assertThat(layout.place("corpus", "hadoop-hdfs-3.5.0-sources.jar"))
        .contains(Path.of("hdfs/sources/hadoop-hdfs-3.5.0-sources.jar"));
    assertThat(layout.place("yarn", "hadoop-yarn-server-tests-3.5.0-tests.jar"))
        .contains(Path.of("yarn/test/hadoop-yarn-server-tests-3.5.0-tests.jar"));
    assertThat(layout.place("tools", "hadoop-rumen-3.4.2.jar"))
        .contains(Path.of("tools/lib/hadoop-rumen-3.4.2.jar"));
  }
}
