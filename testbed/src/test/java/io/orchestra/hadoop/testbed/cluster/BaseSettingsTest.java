package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.hadoop.SiteSettings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BaseSettingsTest {
  @Test
  void containersGetJarsOnlyThroughTheApplicationClassPaths() {
    SiteSettings settings = settings(false);
    assertThat(settings.value(Site.YARN, "yarn.application.classpath").orElseThrow())
        .startsWith("/c/conf,/h/share/hadoop/common/lib/*")
        .doesNotContain("orchestra");
    assertThat(settings.value(Site.MAPRED, "mapreduce.application.classpath"))
        .contains("/h/share/hadoop/mapreduce/*,/c/orchestra/tasks/*");
  }

  @Test
  void replicationNeverExceedsTheWorkers() {
    assertThat(settings(false).value(Site.HDFS, "dfs.replication")).contains("2");
  }

  @Test
  void permissionsAndBlockTokensAreOn() {
    SiteSettings settings = settings(false);
    assertThat(settings.value(Site.HDFS, "dfs.permissions.enabled")).contains("true");
    assertThat(settings.value(Site.HDFS, "dfs.block.access.token.enable")).contains("true");
  }

  @Test
  void twoMastersShareEditsAndClientsFindTheActiveOne() {
    SiteSettings settings = settings(true);
    assertThat(settings.value(Site.CORE, "fs.defaultFS")).contains("hdfs://testbed");
    assertThat(settings.value(Site.HDFS, "dfs.ha.namenodes.testbed")).contains("nn1,nn2");
    assertThat(settings.value(Site.HDFS, "dfs.namenode.rpc-address.testbed.nn2"))
        .contains("m2:8020");
    assertThat(settings.value(Site.HDFS, "dfs.namenode.shared.edits.dir"))
        .contains("file:///c/shared/edits");
    assertThat(settings.value(Site.YARN, "yarn.resourcemanager.hostname.rm2")).contains("m2");
    assertThat(settings.value(Site.YARN, "yarn.resourcemanager.webapp.address.rm1"))
        .contains("m1:8088");
  }

  private static SiteSettings settings(boolean highlyAvailable) {
    return new BaseSettings(
            Specs.of(highlyAvailable, List.of()),
            new ClusterDirectory(Path.of("/c")),
            new HadoopHome(Path.of("/h"), "3.5.0"),
            Path.of("/host"))
        .settings();
  }
}
