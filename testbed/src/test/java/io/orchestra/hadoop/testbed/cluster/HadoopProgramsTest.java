package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.hadoop.ClientProgram;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Role;
import io.orchestra.hadoop.testbed.hadoop.SharedClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class HadoopProgramsTest {
  private final HadoopPrograms programs =
      new HadoopPrograms(
          new ClusterDirectory(Path.of("/c")),
          new HadoopHome(Path.of("/h"), "3.5.0"),
          Optional.empty());

  @Test
  void ourJarsComeLastAndOnlyThoseOfTheRole() {
    assertThat(programs.classPath(Optional.of(Role.DATANODE)))
        .startsWith("/c/conf", "/h/share/hadoop/common/lib/*")
        .endsWith("/h/share/hadoop/yarn/*", "/c/orchestra/datanode/*")
        .filteredOn(entry -> entry.startsWith("/c/orchestra"))
        .hasSize(1);
  }

  /** In a client run the tasks of local jobs. */
  @Test
  void clientsHaveOurJarsForTasks() {
    assertThat(programs.client(new ClientProgram("a.Main", List.of("x"))))
        .filteredOn(word -> word.contains("orchestra"))
        .singleElement()
        .satisfies(path -> assertThat(path.split(":")).contains("/c/orchestra/tasks/*"));
    assertThat(programs.client(new ClientProgram("a.Main", List.of("x")))).endsWith("a.Main", "x");
  }

  @Test
  void theHistoryServerHasTheStockClassPath() {
    assertThat(programs.daemon(Daemon.HISTORYSERVER, List.of()))
        .noneMatch(word -> word.contains("orchestra"));
  }

  @Test
  void withKerberosNodeManagersAloneHaveAnotherClassOfHadoops() {
    HadoopPrograms secure =
        new HadoopPrograms(
            programs.directory(),
            programs.hadoop(),
            Optional.of(new Kerberos(programs.directory(), Path.of("/host"))));
    for (Daemon daemon : Daemon.values()) {
      String words = String.join(" ", secure.daemon(daemon, List.of()));
      assertThat(words).contains(" -Djava.security.krb5.conf=/c/conf/krb5.conf ");
      if (daemon == Daemon.NODEMANAGER) {
        assertThat(words).contains(" -cp /c/orchestra/secure-io/*:/c/conf:");
      } else {
        assertThat(words).doesNotContain("secure-io");
      }
    }
    assertThat(programs.daemon(Daemon.NODEMANAGER, List.of()))
        .noneMatch(word -> word.contains("secure-io") || word.contains("krb5"));
  }

  @Test
  void aKindOfDaemonThatHasKeptItsConfigurationFindsItBeforeThatOfAll(@TempDir Path root)
      throws IOException {
    HadoopPrograms some =
        new HadoopPrograms(new ClusterDirectory(root), programs.hadoop(), Optional.empty());
    Files.createDirectory(root.resolve("conf-datanode"));

    assertThat(String.join(" ", some.daemon(Daemon.DATANODE, List.of())))
        .contains(" -cp %s/conf-datanode:%s/conf:".formatted(root, root));
    assertThat(String.join(" ", some.daemon(Daemon.NAMENODE, List.of())))
        .contains(" -cp %s/conf:".formatted(root));
  }

  /** Virtual machines use an archive of classes only if nothing but its jars comes first. */
  @Test
  void withAnArchiveOfClassesTheReleasesJarsComeFirst(@TempDir Path root) throws IOException {
    HadoopHome home = new HadoopHome(root.resolve("h"), "3.5.0");
    for (String part : List.of("common/lib", "hdfs/lib", "mapreduce", "yarn/lib")) {
      Files.createDirectories(home.root().resolve("share/hadoop").resolve(part));
    }
    Path jar = Files.createFile(home.root().resolve("share/hadoop/hdfs/hadoop-hdfs-3.5.0.jar"));
    ClusterDirectory directory = new ClusterDirectory(Files.createDirectory(root.resolve("c")));
    Path unusedArchive = Files.createFile(SharedClasses.of(home).archive());
    directory.programClasses(home).from(ProgramClasses.Source.ARCHIVE);
    HadoopPrograms some = new HadoopPrograms(directory, home, Optional.empty());
    String option = "-XX:SharedArchiveFile=" + root.resolve("c/classes.jsa");

    for (Daemon daemon : Daemon.values()) {
      assertThat(some.daemon(daemon, List.of())).contains(option);
      assertThat(String.join(" ", some.daemon(daemon, List.of())))
          .contains(" -cp %s:%s/c/conf:".formatted(jar, root));
    }
    assertThat(some.client(new ClientProgram("a.Main", List.of()))).contains(option);
    HadoopPrograms secure =
        new HadoopPrograms(directory, home, Optional.of(new Kerberos(directory, Path.of("/host"))));
    assertThat(secure.daemon(Daemon.DATANODE, List.of())).contains(option);
    assertThat(secure.daemon(Daemon.NODEMANAGER, List.of())).doesNotContain(option);
    assertThat(String.join(" ", secure.daemon(Daemon.NODEMANAGER, List.of())))
        .contains(" -cp %s/c/orchestra/secure-io/*:%s/c/conf:".formatted(root, root));
  }

  @ParameterizedTest
  @EnumSource(Daemon.class)
  void everyDaemonCarriesItsMarkerAndEndsWithItsMainClass(Daemon daemon) {
    assertThat(programs.daemon(daemon, List.of()))
        .contains(daemon.marker())
        .endsWith(daemon.mainClass());
  }
}
