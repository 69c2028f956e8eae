package io.orchestra.hadoop.testbed.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BenchOptionsTest {
  @Test
  void onlyARunThatAddsRepetitionsMayTakeLonger() {
    Duration planned = Duration.ofSeconds(150);

    assertThat(options(false, false).estimate(planned))
        .isEqualTo("about 3 minutes, and more if targets stay undecided");
    assertThat(options(true, false).estimate(planned)).isEqualTo("about 3 minutes");
    assertThat(options(false, true).estimate(planned)).isEqualTo("about 3 minutes");
  }

  private static BenchOptions options(boolean quick, boolean asPlanned) {
    return new BenchOptions(
        "3.5.0",
        1,
        quick,
        asPlanned,
        Selection.ALL,
        1,
        List.of(),
        Workload.RECORDED,
        Path.of("/results"));
  }
}
