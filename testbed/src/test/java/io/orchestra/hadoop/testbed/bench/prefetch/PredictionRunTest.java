package io.orchestra.hadoop.testbed.bench.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Check;
import io.orchestra.hadoop.testbed.bench.Measurement;
import org.junit.jupiter.api.Test;

final class PredictionRunTest {
  @Test
  void theMedianOfAllPredictionsCounts() {
    Measurement measurement =
        PredictionRun.measurement(
            "1000000 50000000 4000\n3000000 90000000 4000\n2000000 60000000 3999\n");

    assertThat(measurement.figures())
        .containsEntry(PredictionRun.MILLIS, 60.0)
        .containsEntry("of that with the scheduler's lock [ms]", 2.0);
    assertThat(measurement.samples().get("predictions [ms]")).containsExactly(50.0, 60.0, 90.0);
    assertThat(measurement.counters()).containsEntry("launches: foretold", 3999L);
    assertThat(measurement.checks()).isNotEmpty().allMatch(Check::passed);
  }

  @Test
  void aPredictionOfNextToNothingDoesNotCount() {
    assertThat(PredictionRun.measurement("1000000 50000000 999\n").checks())
        .noneMatch(Check::passed);
  }

  @Test
  void whatTellsOfNoPredictionIsRefused() {
    for (String output : new String[] {"", "1 2\n", "Exception in thread\n"}) {
      assertThatThrownBy(() -> PredictionRun.measurement(output))
          .isInstanceOf(TestbedException.class);
    }
  }
}
