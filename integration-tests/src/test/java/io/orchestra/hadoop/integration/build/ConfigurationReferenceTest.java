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
              "NameNodes and DataNodes read these from `hdfs-site.xml`.",
              PlacementConfig.SETTINGS),
          new Section(
              "Broadcast cache",
              "NameNodes and DataNodes read these from `hdfs-site.xml`.",
              BroadcastConfig.SETTINGS),
          new Section(
              "MapReduce shuffle",
              "NodeManagers read `enabled` from `yarn-site.xml`. Reducers read all of these from their job's"
                  + " configuration:\n`mapred-site.xml` of the host that submits it, or `-D`.",
              ShuffleConfig.SETTINGS),
          new Section(
              "Prefetch scheduler",
              "ResourceManagers read these from `yarn-site.xml`. Others read some of them:\n\n"
                  + "- application masters, from their job's configuration: `enabled`, `agent.port` and\n"
                  + "  `am.preemption-policy.delegate`;\n"
                  + "- DataNodes, from `hdfs-site.xml`: `enabled`, `fetch`, `daemon.port`, `coordinators`, `cache-share`,\n"
                  + "  `cache-share-per-user`, `keep` and `tc.socket`.",
              PrefetchConfig.SETTINGS),
          new Section(
              "Block cache",
              "All of these are in `hdfs-site.xml`.\n\n"
                  + "- DataNodes read all but `paths` and `map-input`.\n"
                  + "- HDFS clients, such as localizers and tasks, read `paths`, `map-input`, `enabled`, `socket`,\n"
                  + "  `guard-socket`, `wait-limit` and `map-input-wait`.",
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
