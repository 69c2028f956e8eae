package io.orchestra.hadoop.testbed.bench.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.hadoop.Setting;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SchedulingTest {
  private static final List<List<Setting>> TRIED =
      Scheduling.DELAY_SCHEDULING.stream()
          .filter(arm -> arm != Scheduling.ALL_LOCAL)
          .map(Scheduling::settings)
          .toList();

  @Test
  void delaySchedulingIsTunedWithStockAndOtherSettingsInEachArm() {
    assertThat(Scheduling.DELAY_SCHEDULING).noneMatch(Scheduling::isOurs);
    assertThat(TRIED).doesNotHaveDuplicates();
  }

  @Test
  void flexFetchIsComparedWithASettingThatWasTried() {
    assertThat(TRIED).contains(Scheduling.DELAY.settings());
    assertThat(Scheduling.DELAY.settings()).isNotEmpty();
  }

  @Test
  void delaysAreMillisecondsAndHoldWithContinuousSchedulingOnly() {
    assertThat(Scheduling.DELAY_OF_30_SECONDS.settings())
        .extracting(Setting::toString)
        .containsExactlyInAnyOrder(
            "yarn:yarn.scheduler.fair.continuous-scheduling-enabled=true",
            "yarn:yarn.scheduler.fair.continuous-scheduling-sleep-ms=100",
            "yarn:yarn.scheduler.fair.locality-delay-node-ms=30000",
            "yarn:yarn.scheduler.fair.locality-delay-rack-ms=30000");
  }

  @Test
  void killsAreComparedWithStockWhereTheSameIsKilled() {
    assertThat(Scheduling.DATANODE_KILLED.stock()).isEqualTo(Scheduling.STOCK_DATANODE_KILLED);
    assertThat(Scheduling.RESOURCEMANAGER_KILLED.stock())
        .isEqualTo(Scheduling.STOCK_RESOURCEMANAGER_KILLED);
  }
}
