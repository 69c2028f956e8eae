package io.orchestra.hadoop.testbed.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SharedClassesTest {
  private static final String LOADED = Loaded.class.getName().replace('.', '/');

  /** What jars of the release have. */
  private static final class Loaded {}

  @TempDir private Path directory;
  private Path root;
  private SharedClasses classes;

  @BeforeEach
  void release() throws IOException {
    root = directory.resolve("3.5.0");
    for (String part :
        List.of("common/lib", "hdfs/lib", "hdfs/webapps", "mapreduce", "yarn/lib", "yarn/test")) {
      Files.createDirectories(root.resolve("share/hadoop").resolve(part));
    }
    classes = new SharedClasses(new HadoopHome(root, "3.5.0"));
  }

  @Test
  void withoutAnArchiveProgramsStartAsAlways() {
    assertThat(classes.available()).isFalse();
    assertThat(classes.options()).isEmpty();
    assertThat(classes.containerOptions()).isEmpty();
    assertThat(classes.jars()).isEmpty();
  }

  @Test
  void whatWasListedIsMappedFromTheArchive() throws IOException {
    Path jar = jar("common/lib/a.jar");
    // Neither those of tests nor directories come before a cluster's configuration.
    Path unusedOther = jar("hdfs/hadoop-hdfs-3.5.0-tests.jar");
    Path another = jar("yarn/b.jar");

    classes.make(list(LOADED));

    assertThat(classes.usable()).isTrue();
    assertThat(classes.jars()).containsExactly(jar.toString(), another.toString());
    assertThat(classes.containerOptions())
        .endsWith("-cp", jar + ":" + another + ":$CLASSPATH")
        .startsWith(classes.options().get(0));
    assertThat(startsOnlyWithTheArchive(String.join(":", classes.jars()) + ":" + root)).isTrue();
    assertThat(startsOnlyWithTheArchive(root + ":" + String.join(":", classes.jars()))).isFalse();
    assertThat(FileTree.list(directory))
        .containsExactly(
            root,
            directory.resolve("3.5.0-java-" + Runtime.version() + ".jsa"),
            directory.resolve("cluster"));
  }

  @Test
  void whenJavaCannotMakeTheArchiveThatIsSaidAndNoneIsThere() throws IOException {
    Path list = list("@lambda-proxy");

    assertThatThrownBy(() -> classes.make(list))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("Java cannot archive Hadoop's classes: ");
    assertThat(classes.available()).isFalse();
    assertThat(FileTree.list(directory)).containsExactly(root, list.getParent());
  }

  /** Virtual machines say nothing then. */
  @Test
  void anArchiveWhoseJarsHaveChangedIsNotUsable() throws IOException {
    Path jar = jar("common/lib/a.jar");
    classes.make(list(LOADED));
    Files.delete(jar);

    assertThat(classes.available()).isTrue();
    assertThat(classes.usable()).isFalse();
    Path other = jar("common/lib/b.jar");
    classes.make(list(LOADED));
    assertThat(classes.usable()).isTrue();
    assertThat(classes.jars()).containsExactly(other.toString());
  }

  /** With the options that programs of the testbed have. */
  private boolean startsOnlyWithTheArchive(String classPath) {
    List<String> words = new ArrayList<>(List.of(Jvm.program()));
    words.addAll(classes.options());
    words.addAll(Jvm.options(64));
    words.addAll(List.of("-Xshare:on", "-cp", classPath, "-version"));
    return Command.of(words).run().succeeded();
  }

  private Path list(String line) throws IOException {
    Path cluster = Files.createDirectories(directory.resolve("cluster"));
    return Files.writeString(cluster.resolve("list"), line + "\n");
  }

  private Path jar(String name) throws IOException {
    Path file = root.resolve("share/hadoop").resolve(name);
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
      jar.putNextEntry(new JarEntry(LOADED + ".class"));
      try (InputStream code = Loaded.class.getResourceAsStream("SharedClassesTest$Loaded.class")) {
        code.transferTo(jar);
      }
    }
    return file;
  }
}
