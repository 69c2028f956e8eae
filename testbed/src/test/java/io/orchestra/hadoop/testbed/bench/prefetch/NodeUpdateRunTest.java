package io.orchestra.hadoop.testbed.bench.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Check;
import io.orchestra.hadoop.testbed.bench.Measurement;
import org.junit.jupiter.api.Test;

final class NodeUpdateRunTest {
  @Test
  void theMeanOfAllUpdatesCounts() {
    Measurement measurement = NodeUpdateRun.measurement(true, "2000 30000000 7000000 28 0\n");

    assertThat(measurement.figures())
        .containsEntry(NodeUpdateRun.MICROS, 15.0)
        .containsEntry("longest node update [ms]", 7.0);
    assertThat(measurement.counters())
        .containsEntry("node updates", 2000L)
        .containsEntry("predictions", 28L);
    assertThat(measurement.checks()).isNotEmpty().allMatch(Check::passed);
  }

  @Test
  void ourSchedulerForetellsMeanwhileAndStockDoesNot() {
    assertThat(NodeUpdateRun.measurement(false, "2000 30000000 7000000 0 0").checks())
        .isNotEmpty()
        .allMatch(Check::passed);
    assertThat(NodeUpdateRun.measurement(false, "2000 30000000 7000000 1 0").checks())
        .noneMatch(Check::passed);
    assertThat(NodeUpdateRun.measurement(true, "2000 30000000 7000000 0 0").checks())
        .noneMatch(Check::passed);
    assertThat(NodeUpdateRun.measurement(true, "2000 30000000 7000000 28 1").checks())
        .noneMatch(Check::passed);
  }

  @Test
  void whatTellsOfNoUpdateIsRefused() {
    for (String output : new String[] {"", "1 2", "0 30000000 0 1 0", "Exception in thread"}) {
      assertThatThrownBy(() -> NodeUpdateRun.measurement(true, output))
          .isInstanceOf(TestbedException.class);
    }
  }
}
