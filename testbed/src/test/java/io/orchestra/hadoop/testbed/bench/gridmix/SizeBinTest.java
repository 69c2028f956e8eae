package io.orchestra.hadoop.testbed.bench.gridmix;

import static io.orchestra.hadoop.testbed.bench.gridmix.SizeBin.LARGE;
import static io.orchestra.hadoop.testbed.bench.gridmix.SizeBin.MEDIUM;
import static io.orchestra.hadoop.testbed.bench.gridmix.SizeBin.SMALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.trace.TraceJob;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SizeBinTest {
  @Test
  void thirdsByMapsAndThenByBytes() {
    assertThat(
            SizeBin.of(List.of(job(9, 1), job(2, 5), job(2, 9), job(1, 50), job(4, 1), job(8, 7))))
        .containsExactly(LARGE, SMALL, MEDIUM, SMALL, MEDIUM, LARGE);
  }

  @Test
  void noBinIsEmpty() {
    assertThat(SizeBin.of(List.of(job(1, 1), job(1, 1), job(1, 1), job(1, 1))))
        .containsExactly(SMALL, SMALL, MEDIUM, LARGE);
    assertThatThrownBy(() -> SizeBin.of(List.of(job(1, 1), job(1, 1))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static TraceJob job(int maps, long bytes) {
    return new TraceJob("job", 0, maps, 0, bytes, 0, 0, List.of());
  }
}
