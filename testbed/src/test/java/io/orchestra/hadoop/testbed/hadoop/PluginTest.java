package io.orchestra.hadoop.testbed.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.network.Rate;
import org.junit.jupiter.api.Test;

final class PluginTest {
  @Test
  void namesAreSeparatedByCommasAndNoneMeansNone() {
    assertThat(Plugin.parse("placement")).containsExactly(Plugin.PLACEMENT);
    assertThat(Plugin.parse("none")).isEmpty();
    assertThatThrownBy(() -> Plugin.parse("placement,unknown"))
        .hasMessageContaining("'unknown' is not a plugin")
        .hasMessageContaining("placement");
  }

  @Test
  void placementLearnsTheRatesThatInterfacesDoNotKnow() {
    assertThat(Plugin.PLACEMENT.emulation(Rate.parse("100mbit"), Rate.UNLIMITED))
        .containsExactly(Setting.parse("hdfs:orchestra.placement.link-capacity=100mbit"));
  }
}
