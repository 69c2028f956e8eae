package io.orchestra.hadoop.testbed.bench.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.Check;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.network.Rate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ReceptionTest {
  private static final Reception.Content WRITTEN = Reception.Content.parse("5 0x0000002a");

  @Test
  void lastReceiverCountsAndAllAreSamples() {
    Measurement.Builder measurement = Measurement.builder();
    new Reception(List.of(9.0, 3.0)).addTo(measurement, Cell.of(40, 2, Rate.parse("80mbit")));
    assertThat(measurement.build().figures())
        .containsEntry(Reception.LAST, 9.0)
        .containsEntry(Reception.MEAN, 6.0)
        .containsEntry(Reception.TO_LINK, 2.25);
    assertThat(measurement.build().samples().values()).containsExactly(List.of(3.0, 9.0));
  }

  @Test
  void ofSeveralFilesEachMustBeEqual() {
    Reception.Content other = Reception.Content.parse("3 0x0000002b");
    assertThat(Reception.Content.of(List.of(WRITTEN, other)))
        .isNotEqualTo(Reception.Content.of(List.of(other, WRITTEN)))
        .extracting(Reception.Content::bytes)
        .isEqualTo(8L);
  }

  @Test
  void equalBytesPass() {
    assertThat(check(Map.of("a", WRITTEN, "b", Reception.Content.parse("5 0x0000002a"))).passed())
        .isTrue();
  }

  @Test
  void everyHostWithOtherBytesIsNamed() {
    Check check = check(Map.of("a", WRITTEN, "b", Reception.Content.parse("4 0x0000002b")));
    assertThat(check.passed()).isFalse();
    assertThat(check.detail()).contains("b has").contains("0x0000002b").doesNotContain("a has");
  }

  @Test
  void nobodyHavingAnythingIsNoSuccess() {
    assertThat(check(Map.of()).passed()).isFalse();
  }

  private static Check check(Map<String, Reception.Content> received) {
    Measurement.Builder measurement = Measurement.builder();
    Reception.check(measurement, WRITTEN, received);
    return measurement.build().checks().get(0);
  }
}
