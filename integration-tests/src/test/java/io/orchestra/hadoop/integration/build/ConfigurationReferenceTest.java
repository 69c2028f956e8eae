package io.orchestra.hadoop.integration.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.core.blockcache.BlockCacheConfig;
import io.orchestra.hadoop.integration.build.ConfigurationReference.Section;
import io.orchestra.hadoop.placement.PlacementConfig;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import io.orchestra.hadoop.shuffle.ShuffleConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Keeps {@code docs/configuration.md} equal to the settings in the code. After a change of settings
 * run {@code mvn verify -pl integration-tests -am -Dorchestra.docs.write=true} once to write the
 * page anew.
 */
final class ConfigurationReferenceTest {
  private static final List<Section> SECTIONS =
      List.of(
          new Section(
              "HDFS placement",
              "In `hdfs-site.xml`. Read by the NameNode and the DataNodes.",
              PlacementConfig.SETTINGS),
          new Section(
              "Broadcast cache",
              "In `hdfs-site.xml`. Read by the NameNode and the DataNodes.",
              BroadcastConfig.SETTINGS),
          new Section(
              "MapReduce shuffle",
              "`enabled` in `yarn-site.xml`, read by the NodeManagers. All of them in `mapred-site.xml`, or in a job's own"
                  + " configuration, read by its reducers.",
              ShuffleConfig.SETTINGS),
          new Section(
              "Prefetch scheduler",
              "In `yarn-site.xml`. Read by the ResourceManager; `enabled`, `agent.port` and the delegate also by"
                  + " application masters, from their job's settings; `enabled`, `fetch`, `daemon.port`, `coordinators`,"
                  + " `cache-share`, `cache-share-per-user`, `keep` and `tc.socket` by the DataNodes, from their"
                  + " `hdfs-site.xml`.",
              PrefetchConfig.SETTINGS),
          new Section(
              "Block cache",
              "In `hdfs-site.xml`. Read by the DataNodes; `enabled`, `socket`, `guard-socket`, `wait-limit` and `map-input-wait`"
                  + " also by HDFS clients, such as localizers and tasks, and `paths` and `map-input` by them alone.",
              BlockCacheConfig.SETTINGS));

  @Test
  void thePageIsWhatTheCodeSays() throws IOException {
    Path page = SourceTree.root().resolve("docs/configuration.md");
    String expected = ConfigurationReference.markdown(SECTIONS);
    if (Boolean.getBoolean("orchestra.docs.write")) {
      Files.writeString(page, expected);
    }

    assertThat(page)
        .as("docs/configuration.md; see the Javadoc of this test to write it anew")
        .hasContent(expected);
  }
}
