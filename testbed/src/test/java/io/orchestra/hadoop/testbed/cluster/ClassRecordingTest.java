package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.SharedClasses;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the users of hosts cannot enter, a recording fails before anything is started. */
final class ClassRecordingTest {
  private static final String ANEW = "all processes will load their classes anew";

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final ClusterSpec spec = Specs.of(false, List.of());
  @TempDir private Path directory;
  private TestbedHome home;
  private HadoopHome hadoop;
  private ClassRecording recording;

  @BeforeEach
  void release() throws IOException {
    Path closed = FileTree.directory(directory.resolve("closed"), "rwx------");
    home = new TestbedHome(closed.resolve("home"));
    home.prepareDirectories();
    hadoop = new HadoopHome(home.root().resolve("hadoop/3.5.0"), "3.5.0");
    for (String part : List.of("common/lib", "hdfs/lib", "mapreduce", "yarn/lib")) {
      Files.createDirectories(hadoop.root().resolve("share/hadoop").resolve(part));
    }
    recording =
        new ClassRecording(
            home,
            new Project(directory, "1"),
            new Progress(new PrintStream(said, true, StandardCharsets.UTF_8), () -> 0));
  }

  @Test
  void whereNoArchiveCanBeMadeThatIsSaidAndTheClusterStartsWithout() {
    assertThat(recording.before(spec, hadoop)).isEqualTo(ProgramClasses.Source.JARS);
    assertThat(said()).contains(ANEW);
  }

  @Test
  void anArchiveThatCannotBeUsedNorMadeAnewIsNotUsed() throws IOException {
    Path unusable = Files.createFile(SharedClasses.of(hadoop).archive());

    assertThat(recording.before(spec, hadoop)).isEqualTo(ProgramClasses.Source.JARS);
    assertThat(said()).contains(ANEW);
    assertThat(unusable).exists();
  }

  @Test
  void whoIsInterruptedDoesNotGoOnWithout() {
    try (ClusterLock unusedLock = ClusterLock.take(home.classesLock(), "busy")) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> recording.before(spec, hadoop))
          .isInstanceOf(TestbedException.class)
          .hasMessageContaining("interrupted");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(said()).isEmpty();
  }

  @Test
  void nothingIsRecordedOfAnUnpackedRelease() {
    ClusterSpec unpacked = spec.withHadoopHome(hadoop.root().toString());

    assertThat(recording.before(unpacked, hadoop)).isEqualTo(ProgramClasses.Source.JARS);
    assertThat(said()).isEmpty();
  }

  @Test
  void nobodyElsesClusterHasTheNameOfTheOneThatRecords() {
    assertThatThrownBy(() -> ClassRecording.refuseItsName("classes"))
        .isInstanceOf(TestbedException.class)
        .hasMessage(
            "'classes' is the name of the testbed's own cluster: give yours another --name");
    ClassRecording.refuseItsName("default");
  }

  private String said() {
    return said.toString(StandardCharsets.UTF_8);
  }
}
