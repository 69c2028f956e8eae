package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassListsTest {
  @TempDir private Path root;

  @Test
  void onlyProgramsOfAClusterThatIsThereForItListTheirClasses() throws IOException {
    ClusterDirectory directory = new ClusterDirectory(root.resolve("c"));
    HadoopPrograms programs =
        new HadoopPrograms(directory, new HadoopHome(root.resolve("h"), "3.5.0"), Optional.empty());
    Path unusedArchive = Files.createFile(root.resolve("h-java-" + Runtime.version() + ".jsa"));
    String option = "-XX:DumpLoadedClassList=" + root.resolve("c/class-lists/");

    directory.classLists().begin();

    // An archive that is there is one that cannot be used.
    assertThat(programs.daemon(Daemon.NAMENODE, List.of()))
        .contains(option + "/namenode-%p")
        .noneMatch(word -> word.contains("SharedArchiveFile"));
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(root.resolve("c/class-lists"))))
        .isEqualTo("rwxrwxrwx");
    HadoopPrograms others =
        new HadoopPrograms(
            new ClusterDirectory(root.resolve("d")), programs.hadoop(), Optional.empty());
    Files.delete(unusedArchive);
    assertThat(others.daemon(Daemon.NAMENODE, List.of()))
        .noneMatch(word -> word.contains("DumpLoadedClassList"));
  }

  /** A program that is killed has written a part of a line; another loader's class has a source. */
  @Test
  void onlyWholeLinesOfTheSystemsLoaderCount() throws IOException {
    ClassLists lists = new ClassLists(root);
    Files.writeString(
        root.resolve("a-1"),
        """
        # NOTE: Do not modify this file.
        java/lang/Object id: 0
        b/B
        a/A
        a/A source: /tmp/job.jar
        @lambda-proxy a/A run ()Ljava/lang/Runnable;
        a/Trunc\
        """);
    Files.writeString(root.resolve("a-2"), "a/A\nc/C\n");
    Path elsewhere = Files.createDirectory(root.resolve("elsewhere")).resolve("list");
    Files.writeString(elsewhere, "d/D\n");
    Files.createSymbolicLink(root.resolve("a-3"), elsewhere);

    assertThat(lists.all())
        .containsExactly("@lambda-proxy a/A run ()Ljava/lang/Runnable;", "a/A", "b/B", "c/C");
  }

  @Test
  void nobodyElsesClusterHasTheNameOfTheOneThatRecords() {
    assertThatThrownBy(() -> ClassRecording.refuseItsName("classes"))
        .isInstanceOf(TestbedException.class)
        .hasMessage(
            "'classes' is the name of the testbed's own cluster: give yours another --name");
    ClassRecording.refuseItsName("default");
  }
}
