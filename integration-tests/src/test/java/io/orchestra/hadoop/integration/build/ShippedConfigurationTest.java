package io.orchestra.hadoop.integration.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.core.config.SettingReader;
import io.orchestra.hadoop.placement.PlacementConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.ReplicaAccessorBuilder;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.util.ServicePlugin;
import org.junit.jupiter.api.Test;

/** The files below {@code conf/} are what Hadoop and our own reader accept. */
final class ShippedConfigurationTest {

  @Test
  void everyFileIsXmlThatHadoopReads() throws IOException {
    List<Path> files;
    try (Stream<Path> paths = Files.walk(SourceTree.root().resolve("conf"))) {
      files = paths.filter(path -> path.toString().endsWith(".xml")).toList();
    }

    assertThat(files).isNotEmpty();
    for (Path file : files) {
      assertThat(load(file)).as("%s", file).isNotEmpty();
    }
  }

  @Test
  void placementNamesClassesThatExistAndSettingsThatAreValid() throws Exception {
    Configuration conf = load(SourceTree.root().resolve("conf/hdfs-placement/hdfs-site.xml"));

    assertThat(conf.getClass("dfs.block.replicator.classname", null, BlockPlacementPolicy.class))
        .isNotNull();
    assertThat(conf.getInstances("dfs.namenode.plugins", ServicePlugin.class)).hasSize(1);
    assertThat(conf.getInstances("dfs.datanode.plugins", ServicePlugin.class)).hasSize(1);
    assertThat(PlacementConfig.from(conf).enabled()).isTrue();
    assertThat(SettingReader.unknownKeys(conf, PlacementConfig.PREFIX, PlacementConfig.SETTINGS))
        .isEmpty();
  }

  @Test
  void broadcastNamesClassesThatExistAndSettingsThatAreValid() throws Exception {
    Configuration conf = load(SourceTree.root().resolve("conf/broadcast-cache/hdfs-site.xml"));

    assertThat(conf.getInstances("dfs.namenode.plugins", ServicePlugin.class)).hasSize(1);
    assertThat(conf.getInstances("dfs.datanode.plugins", ServicePlugin.class)).hasSize(1);
    assertThat(conf.getClasses("dfs.client.replica.accessor.builder.classes"))
        .allMatch(ReplicaAccessorBuilder.class::isAssignableFrom)
        .hasSize(1);
    assertThat(BroadcastConfig.from(conf).enabled()).isTrue();
    assertThat(SettingReader.unknownKeys(conf, BroadcastConfig.PREFIX, BroadcastConfig.SETTINGS))
        .isEmpty();
  }

  private static Configuration load(Path file) throws IOException {
    Configuration conf = new Configuration(false);
    conf.addResource(file.toUri().toURL());
    return conf;
  }
}
