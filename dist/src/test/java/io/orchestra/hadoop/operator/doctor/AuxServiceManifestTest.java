package io.orchestra.hadoop.operator.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.operator.doctor.Finding.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AuxServiceManifestTest {
  private static final String KEY = "yarn.nodemanager.aux-services.mapreduce_shuffle.class";
  private static final String OURS = "io.orchestra.hadoop.shuffle.WeightedShuffleHandler";

  @TempDir private Path directory;

  private final Configuration conf = new Configuration(false);
  private final Findings findings = new Findings();

  @BeforeEach
  void siteNamesOurs() {
    conf.set(KEY, OURS);
    conf.set("yarn.nodemanager.aux-services.manifest.enabled", "true");
  }

  private Configuration applied() {
    return new AuxServiceManifest(conf, findings).applied();
  }

  private void manifest(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("services.json"), text);
    conf.set("yarn.nodemanager.aux-services.manifest", file.toUri().toString());
  }

  @Test
  void withoutAManifestTheSiteDecides() {
    conf.set("yarn.nodemanager.aux-services.manifest.enabled", "false");
    conf.set("yarn.nodemanager.aux-services", "other, mapreduce_shuffle");

    assertThat(applied().get(KEY)).isEqualTo(OURS);
    assertThat(findings.all()).isEmpty();
  }

  @Test
  void aServiceOfOursThatIsNotListedIsAProblem() {
    conf.set("yarn.nodemanager.aux-services.manifest.enabled", "false");
    conf.set("yarn.nodemanager.aux-services", "other");

    assertThat(applied().get(KEY)).isEqualTo(OURS);
    assertThat(findings.all())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.level()).isEqualTo(Level.PROBLEM);
              assertThat(finding.text())
                  .startsWith("yarn.nodemanager.aux-services does not list mapreduce_shuffle");
            });
  }

  /** As when all that our page names is taken out. */
  @Test
  void aNodeManagerWithoutAnyShuffleServiceIsNoted() {
    conf.set("yarn.nodemanager.aux-services.manifest.enabled", "false");
    conf.unset(KEY);

    assertThat(applied().get(KEY)).isNull();
    assertThat(findings.all())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.level()).isEqualTo(Level.NOTE);
              assertThat(finding.text()).contains("no MapReduce job with reducers works");
            });
  }

  @Test
  void aClassPathOfItsOwnIsAProblem() {
    conf.set("yarn.nodemanager.aux-services.manifest.enabled", "false");
    conf.set("yarn.nodemanager.aux-services", "other, mapreduce_shuffle");
    conf.set("yarn.nodemanager.aux-services.other.classpath", "/theirs.jar");
    conf.set("yarn.nodemanager.aux-services.mapreduce_shuffle.remote-classpath", "/ours.jar");

    assertThat(applied().get(KEY)).isEqualTo(OURS);
    assertThat(findings.all())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.level()).isEqualTo(Level.PROBLEM);
              assertThat(finding.text())
                  .startsWith(
                      "yarn.nodemanager.aux-services.mapreduce_shuffle.remote-classpath is set: the NodeManager does not start");
            });
  }

  @Test
  void filesOfItsOwnInAManifestAreAProblem() throws IOException {
    manifest(
        """
        {"services": [{"name": "mapreduce_shuffle", "version": "1",
          "configuration": {"properties": {"class.name": "%s"}, "files": [{"src_file": "/ours.jar"}]}}]}
        """
            .formatted(OURS));

    assertThat(applied().get(KEY)).isEqualTo(OURS);
    assertThat(findings.exitStatus()).isEqualTo(1);
    assertThat(findings.all().get(0).text()).startsWith("files of mapreduce_shuffle in file:");
  }

  @Test
  void theManifestDecidesAndTheSiteHasNoEffect() throws IOException {
    manifest("{\"services\": [{\"name\": \"other\"}]}");

    assertThat(applied().get(KEY)).isNull();
    assertThat(findings.exitStatus()).isZero();
  }

  @Test
  void classOfTheManifestIsTaken() throws IOException {
    conf.unset(KEY);
    manifest(
        """
        {"services": [{"name": "mapreduce_shuffle", "version": "1",
          "configuration": {"properties": {"class.name": "%s"}}}]}
        """
            .formatted(OURS));

    assertThat(applied().get(KEY)).isEqualTo(OURS);
  }

  @Test
  void withNoManifestThereAreNoServices() {
    assertThat(applied().get(KEY)).isNull();
    assertThat(findings.all())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.level()).isEqualTo(Level.PROBLEM);
              assertThat(finding.text()).contains("names no manifest");
            });
  }

  @Test
  void aManifestThatCannotBeReadIsSaid() throws IOException {
    manifest("{");
    assertThat(applied().get(KEY)).isEqualTo(OURS);

    conf.set("yarn.nodemanager.aux-services.manifest", "hdfs:///services.json");
    assertThat(applied().get(KEY)).isEqualTo(OURS);

    conf.set("yarn.nodemanager.aux-services.manifest", directory.resolve("x").toUri().toString());
    assertThat(applied().get(KEY)).isEqualTo(OURS);

    assertThat(findings.all())
        .hasSize(3)
        .allSatisfy(
            finding -> {
              assertThat(finding.level()).isEqualTo(Level.UNKNOWN);
              assertThat(finding.text()).doesNotContain("\n").contains("cannot be read");
            });
  }
}
