package io.orchestra.hadoop.testbed.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
