package io.orchestra.hadoop.testbed.bench.placement;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.orchestra.hadoop.testbed.bench.Check;
import io.orchestra.hadoop.testbed.bench.Measurement;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PluginCountersTest {
  @Test
  void countsAreReadFromTheReportAndTakenSinceTheLast() throws Exception {
    PluginCounters before = report("{\"picks\": {\"network\": 10, \"failure\": 1}}");
    PluginCounters after = report("{\"picks\": {\"network\": 25, \"failure\": 1}, \"other\": 3}");
    assertThat(after.since(before).outcomes()).isEqualTo(Map.of("network", 15L, "failure", 0L));
  }

  @Test
  void reportOfAPluginThatNeverPlacedHasNoCounts() throws Exception {
    assertThat(report("{}").outcomes()).isEmpty();
  }

  @Test
  void countsAreForTheRecord() {
    Measurement.Builder measurement = Measurement.builder();
    new PluginCounters(Map.of("network", 3L)).addTo(measurement, true);
    assertThat(measurement.build().counters()).isEqualTo(Map.of("replicas: network", 3L));
  }

  @Test
  void pluginThatActsMustPlaceMostReplicasWithoutFailure() {
    assertThat(check(Map.of("network", 11L, "few candidates", 9L), true).passed()).isTrue();
    assertThat(check(Map.of("network", 10L, "few candidates", 10L), true).passed()).isFalse();
    assertThat(check(Map.of("network", 20L, "failure", 1L), true))
        .isEqualTo(
            new Check(
                "the plugin placed most replicas that HDFS would have drawn",
                false,
                "20 of 21, 1 failures"));
    assertThat(check(Map.of(), true).passed()).isFalse();
  }

  @Test
  void pluginThatDoesNotActMustPlaceNothing() {
    assertThat(check(Map.of("network", 0L), false).passed()).isTrue();
    assertThat(check(Map.of("few candidates", 1L), false).passed()).isFalse();
  }

  private static PluginCounters report(String json) throws Exception {
    return PluginCounters.of(new ObjectMapper().readTree(json));
  }

  private static Check check(Map<String, Long> outcomes, boolean acts) {
    Measurement.Builder measurement = Measurement.builder();
    new PluginCounters(outcomes).addTo(measurement, acts);
    return measurement.build().checks().get(0);
  }
}
