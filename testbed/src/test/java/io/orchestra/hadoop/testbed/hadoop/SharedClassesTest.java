package io.orchestra.hadoop.testbed.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
    classes = SharedClasses.of(new HadoopHome(root, "3.5.0"));
  }

  @Test
  void withoutAnArchiveProgramsStartAsAlways() {
    assertThat(classes.available()).isFalse();
    assertThat(classes.options()).isEmpty();
    assertThat(classes.jars()).isEmpty();
  }

  @Test
  void whatWasListedIsMappedFromTheArchive() throws IOException {
    Path jar = jar("common/lib/a.jar");
    // Neither those of tests nor directories come before a cluster's configuration.
    Path unusedOther = jar("hdfs/hadoop-hdfs-3.5.0-tests.jar");
    Path another = jar("yarn/b.jar");

    classes.make(List.of(LOADED));

    assertThat(classes.usable()).isTrue();
    assertThat(classes.jars()).containsExactly(jar.toString(), another.toString());
    assertThat(classes.classPath()).isEqualTo(jar + ":" + another);
    assertThat(startsOnlyWithTheArchive(classes.classPath() + ":" + root)).isTrue();
    assertThat(startsOnlyWithTheArchive(root + ":" + classes.classPath())).isFalse();
    assertThat(FileTree.list(directory))
        .containsExactly(root, directory.resolve("3.5.0-java-" + Runtime.version() + ".jsa"));
  }

  /** Of those that one which was killed has left nothing stays either. */
  @Test
  void whatIsUnfinishedIsRemoved() throws IOException {
    Path unusedJar = jar("common/lib/a.jar");
    String work = ".archiving-" + classes.archive().getFileName();
    Path unusedArchive =
        Files.createFile(Files.createDirectory(directory.resolve(work)).resolve("archive"));

    classes.make(List.of(LOADED));

    assertThat(FileTree.list(directory)).containsExactly(root, classes.archive());
  }

  @Test
  void whenJavaCannotMakeTheArchiveThatIsSaidAndNoneIsThere() {
    assertThatThrownBy(() -> classes.make(List.of("@lambda-proxy")))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("Java cannot archive Hadoop's classes: ");
    assertThat(classes.available()).isFalse();
    assertThat(FileTree.list(directory)).containsExactly(root);
  }

  /** Programs would be told to use it. */
  @Test
  void anArchiveThatJavaHasMadeAndCannotUseIsNotThere() throws IOException {
    String java = System.getProperty("java.home");
    System.setProperty("java.home", javaThatUsesNoArchive().toString());
    try {
      assertThatThrownBy(() -> classes.make(List.of(LOADED)))
          .isInstanceOf(TestbedException.class)
          .hasMessageContaining("cannot use the archive: of no use");
    } finally {
      System.setProperty("java.home", java);
    }
    assertThat(classes.available()).isFalse();
  }

  private Path javaThatUsesNoArchive() throws IOException {
    Path home = directory.resolve("java");
    Path program = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(
        program,
        """
        #!/bin/sh
        [ "$1" = -Xshare:dump ] || { echo of no use >&2; exit 1; }
        for word; do
          case $word in -XX:SharedArchiveFile=*) : > "${word#*=}" ;; esac
        done
        """);
    FileTree.permit(program, "rwxr-xr-x");
    return home;
  }

  @Test
  void anArchiveWithADamagedPageIsNotUsable() throws IOException {
    Path unusedJar = jar("common/lib/a.jar");
    classes.make(List.of(LOADED));
    FileTree.permit(classes.archive(), "rw-r--r--");
    try (FileChannel archive = FileChannel.open(classes.archive(), StandardOpenOption.WRITE)) {
      int written = archive.write(ByteBuffer.allocate(4096), archive.size() / 2);
      assertThat(written).isEqualTo(4096);
    }

    assertThat(classes.available()).isTrue();
    assertThat(classes.usable()).isFalse();
  }

  /** Virtual machines say nothing then. */
  @Test
  void anArchiveWhoseJarsHaveChangedIsNotUsable() throws IOException {
    Path jar = jar("common/lib/a.jar");
    classes.make(List.of(LOADED));
    Files.delete(jar);

    assertThat(classes.available()).isTrue();
    assertThat(classes.usable()).isFalse();
    Path other = jar("common/lib/b.jar");
    classes.make(List.of(LOADED));
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
