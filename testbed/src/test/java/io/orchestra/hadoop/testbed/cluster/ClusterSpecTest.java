package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClusterSpecTest {
  private static final Setting ASKED = Setting.parse("hdfs:dfs.blocksize=1m");
  private static final Setting OTHER = Setting.parse("hdfs:dfs.blocksize=2m");

  /** What is asked for on the command line holds in all arms, which have settings of their own. */
  @Test
  void settingsThatOverrideOthersStayAndComeLastWhateverIsConfiguredLater() {
    ClusterSpec spec = Specs.of(false, List.of()).overriddenBy(List.of(ASKED));

    assertThat(spec.allSettings()).containsExactly(ASKED);
    assertThat(spec.with(List.of(Plugin.PLACEMENT), List.of(OTHER)).allSettings())
        .containsExactly(OTHER, ASKED);
    assertThat(spec.with(List.of(OTHER)).withYarn(false).allSettings())
        .containsExactly(OTHER, ASKED);
  }
}
