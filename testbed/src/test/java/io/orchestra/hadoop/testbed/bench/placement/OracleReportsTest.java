package io.orchestra.hadoop.testbed.bench.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.Check;
import io.orchestra.hadoop.testbed.bench.Measurement;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OracleReportsTest {
  @Test
  void everyHostMustBeHeardFourSecondsOfFive() {
    assertThat(check("10 0 0", "18 0 2", "30 0 0", "38 0 0", 10).passed()).isTrue();
    assertThat(check("10 0 0", "17 0 3", "30 0 0", "40 0 0", 10))
        .isEqualTo(
            new Check(
                "the oracle was heard",
                false,
                "at least 7 reports of each host in 10 s, 0 rejected, 3 failed"));
  }

  @Test
  void noneMayBeRejectedMeanwhile() {
    assertThat(check("0 5 0", "10 5 0", "0 0 0", "10 0 0", 10).passed()).isTrue();
    assertThat(check("0 5 0", "10 6 0", "0 0 0", "10 0 0", 10).passed()).isFalse();
  }

  @Test
  void silenceOfAllIsNoOracle() {
    Measurement.Builder measurement = Measurement.builder();
    new OracleReports(Map.of()).addTo(measurement, 10);
    assertThat(measurement.build().checks().get(0).passed()).isFalse();
  }

  private static Check check(
      String before1, String after1, String before2, String after2, double seconds) {
    Measurement.Builder measurement = Measurement.builder();
    reports(after1, after2).since(reports(before1, before2)).addTo(measurement, seconds);
    return measurement.build().checks().get(0);
  }

  private static OracleReports reports(String first, String second) {
    return new OracleReports(
        Map.of("h1", OracleReports.Count.parse(first), "h2", OracleReports.Count.parse(second)));
  }
}
