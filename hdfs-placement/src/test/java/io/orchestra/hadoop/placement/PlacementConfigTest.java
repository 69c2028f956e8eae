package io.orchestra.hadoop.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.config.Setting;
import io.orchestra.hadoop.placement.PlacementConfig.Spread;
import io.orchestra.hadoop.placement.algorithm.Algorithm;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

final class PlacementConfigTest {

  @Test
  void defaultsNeedNoConfiguration() throws InvalidConfigurationException {
    assertThat(PlacementConfig.from(new Configuration(false)))
        .isEqualTo(
            new PlacementConfig(
                true,
                16 << 20,
                0.5,
                Duration.ofSeconds(1),
                Duration.ofSeconds(3),
                0.2,
                Algorithm.SHARE,
                Spread.HDFS,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                8120,
                "0.0.0.0"));
  }

  @Test
  void everySettingIsRead() throws InvalidConfigurationException {
    Map<String, String> values =
        Map.ofEntries(
            Map.entry("enabled", "false"),
            Map.entry("min-block-size", "1m"),
            Map.entry("min-coverage", "0.9"),
            Map.entry("report.interval", "500ms"),
            Map.entry("report.timeout", "5s"),
            Map.entry("smoothing", "1"),
            Map.entry("algorithm", "paper"),
            Map.entry("spread", "paper"),
            Map.entry("link-capacity", "8gbit"),
            Map.entry("rack-link-capacity", "80gbit"),
            Map.entry("disk-write-capacity", "800mbit"),
            Map.entry("interface", "bond0"),
            Map.entry("collector.port", "9000"),
            Map.entry("collector.bind-host", "127.0.0.1"));
    Configuration conf = new Configuration(false);
    values.forEach((name, value) -> conf.set(PlacementConfig.PREFIX + name, value));

    assertThat(PlacementConfig.SETTINGS)
        .extracting(Setting::key)
        .containsExactlyInAnyOrderElementsOf(
            values.keySet().stream().map(name -> PlacementConfig.PREFIX + name).toList());
    assertThat(PlacementConfig.from(conf))
        .isEqualTo(
            new PlacementConfig(
                false,
                1 << 20,
                0.9,
                Duration.ofMillis(500),
                Duration.ofSeconds(5),
                1,
                Algorithm.PAPER,
                Spread.PAPER,
                Optional.of(1_000_000_000L),
                Optional.of(10_000_000_000L),
                Optional.of(100_000_000L),
                Optional.of("bond0"),
                9000,
                "127.0.0.1"));
  }

  @Test
  void capacitiesThatNoNameNodeWouldBelieveAreRefused() {
    for (String name : List.of("link-capacity", "disk-write-capacity")) {
      Configuration conf = new Configuration(false);
      conf.set(PlacementConfig.PREFIX + name, "2000gbit");

      assertThatThrownBy(() -> PlacementConfig.from(conf))
          .isInstanceOf(InvalidConfigurationException.class)
          .hasMessageContaining(PlacementConfig.PREFIX + name + " is more than 1600 gbit")
          .hasMessageContaining("Leave it out if there is no limit.");
    }
  }

  @Test
  void aTimeoutThatOneLateReportExceedsIsRefused() {
    Configuration conf = new Configuration(false);
    conf.set("orchestra.placement.report.interval", "2s");

    assertThatThrownBy(() -> PlacementConfig.from(conf))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("orchestra.placement.report.timeout (3000 ms) is less than twice")
        .hasMessageContaining("Raise the first or lower the second.");
  }
}
