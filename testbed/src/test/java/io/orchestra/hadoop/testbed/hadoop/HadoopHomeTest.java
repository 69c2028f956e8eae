package io.orchestra.hadoop.testbed.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HadoopHomeTest {
  @TempDir private Path root;

  @Test
  void opensAReleaseAndTellsItsVersion() throws IOException {
    release("3.4.2");
    HadoopHome home = HadoopHome.open(root);
    assertThat(home.version()).isEqualTo("3.4.2");
    assertThat(home.examplesJar()).hasFileName("hadoop-mapreduce-examples-3.4.2.jar");
  }

  @Test
  void classPathHasTheOrderOfTheReleasesScripts() {
    assertThat(new HadoopHome(Path.of("/h"), "3.5.0").classPath())
        .containsExactly(
            "/h/share/hadoop/common/lib/*",
            "/h/share/hadoop/common/*",
            "/h/share/hadoop/hdfs",
            "/h/share/hadoop/hdfs/lib/*",
            "/h/share/hadoop/hdfs/*",
            "/h/share/hadoop/mapreduce/*",
            "/h/share/hadoop/yarn",
            "/h/share/hadoop/yarn/lib/*",
            "/h/share/hadoop/yarn/*");
  }

  @Test
  void toolsMayBeOfAnotherVersionOrMissing() throws IOException {
    HadoopHome home = new HadoopHome(root, "3.5.0");
    assertThat(home.toolJars()).isEmpty();
    Path lib = Files.createDirectories(root.resolve("share/hadoop/tools/lib"));
    Path rumen = Files.createFile(lib.resolve("hadoop-rumen-3.4.2.jar"));
    Path gridmix = Files.createFile(lib.resolve("hadoop-gridmix-3.4.2.jar"));
    Path other = Files.createFile(lib.resolve("hadoop-distcp-3.4.2.jar"));
    assertThat(home.toolJars()).containsExactly(gridmix, rumen).doesNotContain(other);
  }

  @Test
  void directoryWithoutHadoopIsRefused() {
    assertThatThrownBy(() -> HadoopHome.open(root))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("no unpacked Hadoop release");
  }

  @Test
  void whatAReleaseLacksIsNamed() throws IOException {
    release("3.4.2");
    Files.delete(root.resolve("share/hadoop/hdfs/webapps"));
    assertThatThrownBy(() -> HadoopHome.open(root)).hasMessageContaining("hdfs/webapps is missing");
  }

  @Test
  void clientProgramsAreThoseOfHadoopsScripts() throws IOException {
    release("3.5.0");
    HadoopHome home = HadoopHome.open(root);
    assertThat(ClientProgram.parse(List.of("hdfs", "dfs", "-ls", "/"), home))
        .isEqualTo(new ClientProgram("org.apache.hadoop.fs.FsShell", List.of("-ls", "/")));
    assertThat(ClientProgram.parse(List.of("yarn", "application", "-list"), home).arguments())
        .containsExactly("application", "-list");
    assertThat(ClientProgram.parse(List.of("jar", "examples", "pi"), home).arguments())
        .containsExactly(home.examplesJar().toString(), "pi");
    assertThat(ClientProgram.parse(List.of("gridmix", "-generate", "1m"), home))
        .isEqualTo(
            new ClientProgram(
                "org.apache.hadoop.mapred.gridmix.Gridmix", List.of("-generate", "1m")));
    assertThat(ClientProgram.parse(List.of("a.b.Main", "x"), home))
        .isEqualTo(new ClientProgram("a.b.Main", List.of("x")));
    assertThatThrownBy(() -> ClientProgram.parse(List.of("hdfs", "fly"), home))
        .hasMessageContaining("'hdfs fly' is not known here")
        .hasMessageContaining("dfsadmin");
    assertThatThrownBy(() -> ClientProgram.parse(List.of("hive"), home))
        .hasMessageContaining("'hive' is not a Hadoop program");
  }

  private void release(String version) throws IOException {
    Path share = root.resolve("share/hadoop");
    Files.createDirectories(share.resolve("common/lib"));
    Files.createDirectories(share.resolve("hdfs/webapps"));
    for (String jar :
        List.of(
            "common/hadoop-common-" + version + "-tests.jar",
            "common/hadoop-common-" + version + ".jar",
            "hdfs/hadoop-hdfs-" + version + ".jar",
            "yarn/hadoop-yarn-server-resourcemanager-" + version + ".jar",
            "mapreduce/hadoop-mapreduce-client-app-" + version + ".jar",
            "mapreduce/hadoop-mapreduce-examples-" + version + ".jar")) {
      Files.createDirectories(share.resolve(jar).getParent());
      Files.createFile(share.resolve(jar));
    }
  }
}
