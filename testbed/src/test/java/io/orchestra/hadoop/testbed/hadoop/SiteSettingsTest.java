package io.orchestra.hadoop.testbed.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.hadoop.SiteFile.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SiteSettingsTest {
  @TempDir private Path directory;

  @Test
  void layerReplacesWhatWasThereAndKeepsTheRest() throws IOException {
    SiteSettings settings = new SiteSettings();
    settings.set(Site.HDFS, "dfs.blocksize", "32m");
    settings.set(Site.HDFS, "dfs.replication", "3");
    settings.layer(site("hdfs", "dfs.blocksize", "64m"));
    assertThat(settings.value(Site.HDFS, "dfs.blocksize")).contains("64m");
    assertThat(settings.value(Site.HDFS, "dfs.replication")).contains("3");
  }

  @Test
  void layersAddToListsThatPluginsShare() throws IOException {
    SiteSettings settings = new SiteSettings();
    settings.layer(site("hdfs", "dfs.datanode.plugins", "a.First, b.Second"));
    settings.layer(site("hdfs", "dfs.datanode.plugins", "b.Second,c.Third"));
    assertThat(settings.value(Site.HDFS, "dfs.datanode.plugins"))
        .contains("a.First,b.Second,c.Third");
  }

  @Test
  void singleSettingReplacesEvenLists() throws IOException {
    SiteSettings settings = new SiteSettings();
    settings.layer(site("hdfs", "dfs.datanode.plugins", "a.First"));
    settings.set(Setting.parse("hdfs:dfs.datanode.plugins=other"));
    assertThat(settings.value(Site.HDFS, "dfs.datanode.plugins")).contains("other");
  }

  @Test
  void rendersXmlThatItReadsBack() throws IOException {
    SiteSettings settings = new SiteSettings();
    settings.set(Site.CORE, "key", "a <b> & \"c\"");
    settings.write(directory);
    assertThat(SiteFile.parse(directory.resolve("core-site.xml")))
        .containsExactly(Map.entry("key", Value.of("a <b> & \"c\"")));
  }

  @Test
  void whatIsFinalStaysFinal() throws IOException {
    SiteSettings settings = new SiteSettings();
    String accessors = "dfs.client.replica.accessor.builder.classes";
    settings.layer(site("hdfs", accessors, "a.First", "<final>true</final>"));
    settings.layer(site("hdfs", accessors, "b.Second"));
    settings.layer(site("yarn", "port", "1", "<final>true</final>"));
    settings.layer(site("yarn", "port", "2"));
    settings.layer(site("core", "socket", "/here"));
    settings.set(Site.CORE, "socket", "/there");
    settings.write(directory);

    assertThat(SiteFile.parse(directory.resolve("hdfs-site.xml")))
        .containsExactly(Map.entry(accessors, new Value("a.First,b.Second", true)));
    assertThat(SiteFile.parse(directory.resolve("yarn-site.xml")))
        .containsExactly(Map.entry("port", new Value("2", true)));
    assertThat(SiteFile.parse(directory.resolve("core-site.xml")))
        .containsExactly(Map.entry("socket", Value.of("/there")));
  }

  @Test
  void brokenXmlIsReportedWithItsFile() throws IOException {
    Path file = directory.resolve("core-site.xml");
    Files.writeString(file, "<configuration><property><name>x</name></property></configuration>");
    assertThatThrownBy(() -> SiteFile.parse(file))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("<value>");
  }

  @Test
  void settingIsReadFromSiteKeyAndValue() {
    assertThat(Setting.parse("yarn:a.b=c=d,e")).isEqualTo(new Setting(Site.YARN, "a.b", "c=d,e"));
    assertThat(Setting.parse("yarn:a.b=")).hasToString("yarn:a.b=");
    assertThatThrownBy(() -> Setting.parse("a.b=c")).hasMessageContaining("site:key=value");
    assertThatThrownBy(() -> Setting.parse("kms:a=b")).hasMessageContaining("core, hdfs, yarn");
  }

  private Path site(String site, String key, String value) throws IOException {
    return site(site, key, value, "");
  }

  private Path site(String site, String key, String value, String more) throws IOException {
    Files.writeString(
        directory.resolve(site + "-site.xml"),
        "<configuration><property><name>%s</name><value>%s</value>%s</property></configuration>"
            .formatted(key, value, more));
    return directory;
  }
}
