package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.SharedClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProgramClassesTest {
  @TempDir private Path root;
  private Path cluster;
  private HadoopHome hadoop;
  private Path jar;
  private ProgramClasses classes;

  @BeforeEach
  void release() throws IOException {
    hadoop = new HadoopHome(root.resolve("h"), "3.5.0");
    for (String part : List.of("common/lib", "hdfs/lib", "mapreduce", "yarn/lib")) {
      Files.createDirectories(hadoop.root().resolve("share/hadoop").resolve(part));
    }
    jar = Files.createFile(hadoop.root().resolve("share/hadoop/hdfs/hadoop-hdfs-3.5.0.jar"));
    Path unusedArchive = Files.createFile(SharedClasses.of(hadoop).archive());
    cluster = Files.createDirectory(root.resolve("c"));
    classes = new ProgramClasses(cluster, hadoop);
  }

  @Test
  void aClusterThatIsStartedWithoutAnArchiveStaysSoWhereAnotherMakesOne() {
    classes.from(ProgramClasses.Source.JARS);

    assertThat(classes.jars()).isEmpty();
    assertThat(classes.options("namenode")).isEmpty();
    assertThat(classes.containerOptions()).isEmpty();
  }

  @Test
  void theReleasesArchiveServesAClusterWithItsJars() {
    classes.from(ProgramClasses.Source.ARCHIVE);

    String option = "-XX:SharedArchiveFile=" + cluster.resolve("classes.jsa");
    assertThat(cluster.resolve("classes.jsa")).hasSameBinaryContentAs(archive());
    assertThat(classes.jars()).containsExactly(jar.toString());
    assertThat(classes.options("namenode")).containsExactly(option);
    Path path = cluster.resolve("classes.path");
    assertThat(classes.containerOptions())
        .containsExactly(option, "-cp", "$(cat " + path + "):$CLASSPATH");
    assertThat(FileTree.read(path)).isEqualTo(jar.toString());
  }

  @Test
  void aClusterThatListsClassesUsesNoArchive() throws IOException {
    classes.from(ProgramClasses.Source.JARS_AND_LISTED);

    Path lists = cluster.resolve("class-lists");
    assertThat(classes.jars()).isEmpty();
    assertThat(classes.options("namenode"))
        .containsExactly("-XX:DumpLoadedClassList=" + lists + "/namenode-%p");
    assertThat(classes.containerOptions())
        .containsExactly("-XX:DumpLoadedClassList=" + lists + "/container-%p");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(lists)))
        .isEqualTo("rwxrwxrwx");
  }

  private Path archive() {
    return SharedClasses.of(hadoop).archive();
  }
}
