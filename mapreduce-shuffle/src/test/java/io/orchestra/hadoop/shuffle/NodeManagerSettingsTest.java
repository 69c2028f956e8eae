package io.orchestra.hadoop.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A host has the files of NodeManagers and those of who submits jobs in one directory. */
final class NodeManagerSettingsTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"false, true", "true, false"})
  void whatJobsAreToldIsNotToldToNodeManagers(boolean yarn, boolean mapred)
      throws IOException, InterruptedException {
    write("yarn-site.xml", yarn);
    write("mapred-site.xml", mapred);

    assertThat(service().contains(ServiceProgram.ON)).isEqualTo(yarn);
  }

  private void write(String file, boolean enabled) throws IOException {
    Path unused =
        Files.writeString(
            directory.resolve(file),
            "<configuration><property><name>orchestra.shuffle.enabled</name><value>%s</value></property></configuration>"
                .formatted(enabled));
  }

  private String service() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                directory + File.pathSeparator + System.getProperty("java.class.path"),
                ServiceProgram.class.getName(),
                directory.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
