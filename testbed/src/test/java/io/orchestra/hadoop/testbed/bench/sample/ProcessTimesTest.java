package io.orchestra.hadoop.testbed.bench.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.TestbedException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ProcessTimesTest {
  @Test
  void timesAreBehindTheNameWhateverThatIs() {
    assertThat(
            ProcessTimes.parse(
                "7 (a) 1 b) S 1 7 7 0 -1 4194304 1 2 3 4 250 50 1000 200 20 0 9 0 12345 1 1 1"))
        .isEqualTo(new ProcessTimes(3, 12));
  }

  @Test
  void thisProcessHasUsedSome() {
    assertThat(ProcessTimes.of(Path.of("/proc/self")).own()).isPositive();
  }

  @Test
  void whatIsShortIsRefused() {
    assertThatThrownBy(() -> ProcessTimes.parse("7 (a) S 1 7"))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("7 (a) S 1 7");
  }
}
