package io.orchestra.hadoop.testbed.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CorpusTest {
  @TempDir private Path directory;

  @Test
  void textIsTheJavaSourcesOneAfterTheOther() throws IOException {
    Path sources = Files.createDirectories(directory.resolve("share/hadoop/common/sources"));
    try (ZipOutputStream zip =
        new ZipOutputStream(Files.newOutputStream(sources.resolve("a-sources.jar")))) {
      for (String name : List.of("A.java", "notes.html", "B.java")) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write((name + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
    List<Path> files =
        new Corpus(directory.resolve("text")).files(new HadoopHome(directory, "3.5.0"), 3);
    assertThat(files).singleElement().satisfies(f -> assertThat(f).hasContent("A.java\nB.java\n"));
  }

  @Test
  void releaseWithoutSourcesIsReported() {
    assertThatThrownBy(
            () -> new Corpus(directory.resolve("text")).files(new HadoopHome(directory, "3"), 1))
        .hasMessageContaining("no source jars");
  }
}
