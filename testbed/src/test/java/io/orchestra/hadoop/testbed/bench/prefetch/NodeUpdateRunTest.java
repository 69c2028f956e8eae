package io.orchestra.hadoop.testbed.bench.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Check;
import io.orchestra.hadoop.testbed.bench.Measurement;
import org.junit.jupiter.api.Test;

final class NodeUpdateRunTest {
  @Test
  void theMeanOfAllUpdatesOfEachCounts() {
    Measurement measurement =
        NodeUpdateRun.measurement(
            """
            2000 30000000 7000000 1000 16000000 9000000 28 0
            200 4000000 5000000 100 2500000 6000000 14 0
            """);

    assertThat(measurement.figures())
        .containsEntry("node update, Fair Scheduler [µs]", 15.0)
        .containsEntry("longest node update, Fair Scheduler [ms]", 7.0)
        .containsEntry("node update, FlexFetch [µs]", 16.0)
        .containsEntry("longest node update, FlexFetch [ms]", 9.0)
        .containsEntry("node update with an assignment, Fair Scheduler [µs]", 20.0)
        .containsEntry("longest node update with an assignment, Fair Scheduler [ms]", 5.0)
        .containsEntry("node update with an assignment, FlexFetch [µs]", 25.0)
        .containsEntry("longest node update with an assignment, FlexFetch [ms]", 6.0);
    assertThat(NodeUpdateRun.speed().value(operand -> measurement.figures().get(operand.figure())))
        .isEqualTo(15.0 / 16);
    assertThat(
            NodeUpdateRun.assigningSpeed()
                .value(operand -> measurement.figures().get(operand.figure())))
        .isEqualTo(20.0 / 25);
    assertThat(measurement.counters())
        .containsEntry("node updates, Fair Scheduler", 2000L)
        .containsEntry("node updates with an assignment, FlexFetch", 100L)
        .containsEntry("predictions", 28L)
        .containsEntry("predictions with assignments", 14L);
    assertThat(measurement.checks()).isNotEmpty().allMatch(Check::passed);
  }

  @Test
  void ourSchedulerForetellsMeanwhile() {
    for (String[] shadow : new String[][] {{"0 0", "1 0"}, {"28 0", "0 0"}, {"28 1", "1 1"}}) {
      String updates = "2000 30000000 7000000 1000 16000000 9000000 ";
      assertThat(
              NodeUpdateRun.measurement(updates + shadow[0] + "\n" + updates + shadow[1]).checks())
          .noneMatch(Check::passed);
    }
  }

  @Test
  void whatTellsOfNoUpdateIsRefused() {
    for (String output :
        new String[] {
          "",
          "1 2",
          "2 3 4 2 3 4 1 0",
          "2 3 4 2 3 4 1 0\n2 3 4 0 30 0 1 0",
          "0 30 0 2 3 4 1 0\n2 3 4 2 3 4 1 0",
          "Exception in thread"
        }) {
      assertThatThrownBy(() -> NodeUpdateRun.measurement(output))
          .isInstanceOf(TestbedException.class);
    }
  }
}
