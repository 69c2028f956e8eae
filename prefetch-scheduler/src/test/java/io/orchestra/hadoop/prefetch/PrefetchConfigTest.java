package io.orchestra.hadoop.prefetch;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.Sets;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.config.Setting;
import io.orchestra.hadoop.prefetch.PrefetchConfig.Daemon;
import io.orchestra.hadoop.prefetch.PrefetchConfig.Driver;
import io.orchestra.hadoop.prefetch.PrefetchConfig.Fetching;
import io.orchestra.hadoop.prefetch.PrefetchConfig.Traffic;
import io.orchestra.hadoop.prefetch.algorithm.flow.Cardinal.Mode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

final class PrefetchConfigTest {
  @Test
  void defaultsNeedNoTuning() throws InvalidConfigurationException {
    assertThat(PrefetchConfig.from(new Configuration(false)))
        .isEqualTo(
            new PrefetchConfig(
                true,
                Duration.ofSeconds(1),
                Duration.ofSeconds(15),
                Duration.ofMillis(200),
                8123,
                "0.0.0.0",
                4,
                Duration.ofMillis(500),
                new Fetching(
                    true,
                    false,
                    Mode.PREEMPTIVE,
                    0.2,
                    0.25,
                    Duration.ofSeconds(1),
                    0.5,
                    0.9,
                    1,
                    Optional.empty(),
                    Optional.empty()),
                new Traffic(
                    Driver.PACING, 24000, "/var/run/orchestra-traffic/socket", Optional.empty()),
                new Daemon(8124, "0.0.0.0", 4, Optional.empty(), 0.5, 0.5, Duration.ofMinutes(1))));
  }

  @Test
  void everySettingIsRead() throws InvalidConfigurationException {
    Map<String, String> values =
        Map.ofEntries(
            entry("orchestra.prefetch.enabled", "false"),
            entry("orchestra.prefetch.interval", "500ms"),
            entry("orchestra.prefetch.horizon", "20s"),
            entry("orchestra.prefetch.launch-delay", "1s"),
            entry("orchestra.prefetch.agent.port", "0"),
            entry("orchestra.prefetch.agent.bind-host", "10.0.0.1"),
            entry("orchestra.prefetch.agent.handlers", "2"),
            entry("orchestra.prefetch.agent.interval", "1s"),
            entry("orchestra.prefetch.fetch", "false"),
            entry("orchestra.prefetch.confirmed", "true"),
            entry("orchestra.prefetch.cardinal", "literal"),
            entry("orchestra.prefetch.steadiness", "0.5"),
            entry("orchestra.prefetch.least-precision", "0.75"),
            entry("orchestra.prefetch.read-delay", "2s"),
            entry("orchestra.prefetch.reading-share", "0.25"),
            entry("orchestra.prefetch.usable-share", "0.5"),
            entry("orchestra.prefetch.yield-share", "0.75"),
            entry("orchestra.prefetch.link-capacity", "8mbit"),
            entry("orchestra.prefetch.rack-capacity", "80mbit"),
            entry("orchestra.prefetch.driver", "tc"),
            entry("orchestra.prefetch.tc.first-port", "2000"),
            entry("orchestra.prefetch.tc.socket", "/run/host"),
            entry("orchestra.prefetch.tc.switches", "/run/switches"),
            entry("orchestra.prefetch.daemon.port", "1"),
            entry("orchestra.prefetch.daemon.bind-host", "10.0.0.2"),
            entry("orchestra.prefetch.daemon.handlers", "3"),
            entry("orchestra.prefetch.coordinators", "one,two"),
            entry("orchestra.prefetch.cache-share", "0.25"),
            entry("orchestra.prefetch.cache-share-per-user", "0.75"),
            entry("orchestra.prefetch.keep", "5s"));
    Configuration conf = new Configuration(false);
    values.forEach(conf::set);

    assertThat(PrefetchConfig.from(conf))
        .isEqualTo(
            new PrefetchConfig(
                false,
                Duration.ofMillis(500),
                Duration.ofSeconds(20),
                Duration.ofSeconds(1),
                0,
                "10.0.0.1",
                2,
                Duration.ofSeconds(1),
                new Fetching(
                    false,
                    true,
                    Mode.LITERAL,
                    0.5,
                    0.75,
                    Duration.ofSeconds(2),
                    0.25,
                    0.5,
                    0.75,
                    Optional.of(1_000_000L),
                    Optional.of(10_000_000L)),
                new Traffic(Driver.TC, 2000, "/run/host", Optional.of("/run/switches")),
                new Daemon(
                    1, "10.0.0.2", 3, Optional.of("one,two"), 0.25, 0.75, Duration.ofSeconds(5))));
    assertThat(PrefetchConfig.SETTINGS)
        .extracting(Setting::key)
        .containsExactlyInAnyOrderElementsOf(
            Sets.union(values.keySet(), Set.of(PrefetchConfig.DELEGATE.key())));
  }

  @Test
  void aListOfNoHostsIsRefused() {
    Configuration conf = new Configuration(false);
    conf.set("orchestra.prefetch.coordinators", " , ");

    assertThatThrownBy(() -> PrefetchConfig.from(conf))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("orchestra.prefetch.coordinators")
        .hasMessageContaining("no host");
  }

  @Test
  void allProblemsAreReportedTogether() {
    Configuration conf = new Configuration(false);
    conf.set("orchestra.prefetch.interval", "1ms");
    conf.set("orchestra.prefetch.horizon", "soon");

    assertThatThrownBy(() -> PrefetchConfig.from(conf))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("orchestra.prefetch.interval")
        .hasMessageContaining("orchestra.prefetch.horizon");
  }
}
