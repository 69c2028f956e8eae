package io.orchestra.hadoop.testbed.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SameOutputTest {
  @Test
  void eachRunIsComparedWithTheFirst() {
    SameOutput same = new SameOutput();
    Measurement.Builder measurement = Measurement.builder();

    same.check(measurement, "part=1");
    same.check(measurement, "part=2");
    same.check(measurement, "part=1");

    assertThat(measurement.build().checks())
        .extracting(Check::passed)
        .containsExactly(true, false, true);
  }
}
