package io.orchestra.hadoop.testbed.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.network.Rate;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class PluginTest {
  private static final Path SOCKETS = Path.of("/host/run");

  @Test
  void namesAreSeparatedByCommasAndNoneMeansNone() {
    assertThat(Plugin.parse("placement")).containsExactly(Plugin.PLACEMENT);
    assertThat(Plugin.parse("broadcast, placement"))
        .containsExactly(Plugin.BROADCAST, Plugin.PLACEMENT);
    assertThat(Plugin.parse("none")).isEmpty();
    assertThatThrownBy(() -> Plugin.parse("placement,unknown"))
        .hasMessageContaining("'unknown' is not a plugin")
        .hasMessageContaining("placement, broadcast, shuffle");
  }

  @Test
  void placementLearnsTheRatesThatInterfacesDoNotKnow() {
    assertThat(Plugin.PLACEMENT.emulation(SOCKETS, Rate.parse("100mbit"), Rate.UNLIMITED))
        .containsExactly(Setting.parse("hdfs:orchestra.placement.link-capacity=100mbit"));
  }

  @Test
  void broadcastHasItsSocketWhereEachHostHasItsOwn() {
    assertThat(Plugin.BROADCAST.emulation(SOCKETS, Rate.parse("100mbit"), Rate.UNLIMITED))
        .containsExactly(
            Setting.parse("hdfs:orchestra.block-cache.socket=/host/run/block-cache.sock"));
  }

  @Test
  void prefetchLearnsRatesAndHasItsSocketWhereEachHostHasItsOwn() {
    assertThat(Plugin.PREFETCH.emulation(SOCKETS, Rate.parse("100mbit"), Rate.parse("200mbit")))
        .containsExactly(
            Setting.parse("hdfs:orchestra.block-cache.socket=/host/run/block-cache.sock"),
            Setting.parse("yarn:orchestra.prefetch.link-capacity=100mbit"),
            Setting.parse("yarn:orchestra.prefetch.rack-capacity=200mbit"));
  }

  @Test
  void inOneProcessEveryPeerHasAPortOfItsOwnAndAllStoreBelowTheWorkingDirectory() {
    assertThat(Plugin.BROADCAST.loopback(Path.of("/srv")))
        .containsExactly(
            Setting.parse("hdfs:orchestra.broadcast.peer.port=0"),
            Setting.parse("hdfs:orchestra.block-cache.socket=/srv/run/block-cache.sock"),
            Setting.parse("hdfs:orchestra.block-cache.directory=/srv/block-cache"));
  }
}
