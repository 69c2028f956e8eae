package io.orchestra.hadoop.testbed.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.hadoop.Plugin;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

final class InProcessDaemonsTest {
  @Test
  void firstDataNodeIsWhereClientsLookAndTheOthersAreElsewhere() {
    Configuration common = new Configuration(false);
    common.set(Plugin.BLOCK_CACHE_SOCKET, "/srv/run/block-cache.sock");
    Configuration[] overlays = InProcessDaemons.overlays(common);
    assertThat(overlays[0].get(Plugin.BLOCK_CACHE_SOCKET)).isNull();
    assertThat(Arrays.stream(overlays).map(overlay -> overlay.get(Plugin.BLOCK_CACHE_SOCKET)))
        .doesNotHaveDuplicates()
        .contains("/srv/run/block-cache.sock.5");
  }

  @Test
  void withoutThePluginNothingDiffers() {
    assertThat(InProcessDaemons.overlays(new Configuration(false)))
        .allSatisfy(overlay -> assertThat(overlay).isEmpty());
  }
}
