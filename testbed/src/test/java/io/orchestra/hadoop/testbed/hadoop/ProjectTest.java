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

final class ProjectTest {
  @TempDir private Path root;

  @Test
  void aModuleInTheFolderOfAnotherHasItsJarInItsOwn() throws IOException {
    Project project = new Project(root, "1");
    assertThatThrownBy(project::secureIo)
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("mvn -DskipTests package");

    Path target = Files.createDirectories(root.resolve("testbed/secure-io/target"));
    Path jar = Files.createFile(target.resolve("orchestra-testbed-secure-io-1.jar"));
    assertThat(project.secureIo()).isEqualTo(jar);
  }

  @Test
  void aRoleLoadsTheJarsOfThePluginsThatItHasAPartIn() throws IOException {
    Project project = new Project(root, "1");
    Path core = built("core/target/orchestra-core-1.jar");
    Path placement = built("hdfs-placement/target/orchestra-hdfs-placement-1.jar");
    Path shuffle = built("mapreduce-shuffle/target/orchestra-mapreduce-shuffle-1.jar");
    List<Plugin> plugins = List.of(Plugin.PLACEMENT, Plugin.SHUFFLE);

    assertThat(project.jars(Role.DATANODE, plugins)).containsExactly(core, placement);
    assertThat(project.jars(Role.TASKS, plugins)).containsExactly(core, shuffle);
    assertThat(project.jars(Role.RESOURCEMANAGER, plugins)).isEmpty();
  }

  /** They have it before any plugin is switched on. */
  @Test
  void asInstalledARoleLoadsItsOneJarWhateverIsOn() throws IOException {
    Project project = new Project(root, "1").withJarsOfRoles();
    assertThatThrownBy(() -> project.jars(Role.TASKS, List.of()))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("mvn -DskipTests package");

    Path client = built("dist/target/jars/orchestra-client-1.jar");
    Path dataNode = built("dist/target/jars/orchestra-datanode-1.jar");

    assertThat(project.jars(Role.TASKS, List.of())).containsExactly(client);
    assertThat(project.jars(Role.DATANODE, List.of(Plugin.SHUFFLE))).containsExactly(dataNode);
  }

  private Path built(String jar) throws IOException {
    Path file = root.resolve(jar);
    Path unused = Files.createDirectories(file.getParent());
    return Files.createFile(file);
  }
}
