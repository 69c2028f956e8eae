package io.orchestra.hadoop.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SettingReaderTest {
  private enum Spread {
    HDFS,
    ONE_PER_RACK
  }

  private static final Setting<Duration> WAIT =
      Setting.duration(
          "orchestra.test.wait", "1s", Duration.ofMillis(100), Duration.ofMinutes(1), "Waits.");
  private static final Setting<Long> SIZE = Setting.bytes("orchestra.test.size", "16m", "Size.");
  private static final Setting<Long> RATE = Setting.rate("orchestra.test.rate", "", "Rate.");
  private static final Setting<Boolean> ON = Setting.flag("orchestra.test.on", true, "On.");
  private static final Setting<Integer> COUNT =
      Setting.integer("orchestra.test.count", "2", 1, 64, "Count.");
  private static final Setting<Double> PART =
      Setting.decimal("orchestra.test.part", "0.5", 0, 1, "Part.");
  private static final Setting<Spread> SPREAD =
      Setting.choice("orchestra.test.spread", Spread.class, "hdfs", "Spread.");

  private final Configuration conf = new Configuration(false);

  @Test
  void absentSettingsHaveTheirDefaults() throws InvalidConfigurationException {
    SettingReader reader = new SettingReader(conf);

    assertThat(reader.read(WAIT)).isEqualTo(Duration.ofSeconds(1));
    assertThat(reader.read(SIZE)).isEqualTo(16L << 20);
    assertThat(reader.read(ON)).isTrue();
    assertThat(reader.read(COUNT)).isEqualTo(2);
    assertThat(reader.read(PART)).isEqualTo(0.5);
    assertThat(reader.read(SPREAD)).isEqualTo(Spread.HDFS);
    assertThat(reader.readOptional(RATE)).isEmpty();
    reader.verify();
  }

  @Test
  void valuesAreReadWithTheirUnits() throws InvalidConfigurationException {
    conf.set(WAIT.key(), " 500ms ");
    conf.set(SIZE.key(), "1k");
    conf.set(RATE.key(), "10gbit");
    conf.set(SPREAD.key(), "one-per-rack");
    SettingReader reader = new SettingReader(conf);

    assertThat(reader.read(WAIT)).isEqualTo(Duration.ofMillis(500));
    assertThat(reader.read(SIZE)).isEqualTo(1024);
    assertThat(reader.readOptional(RATE)).contains(1_250_000_000L);
    assertThat(reader.read(SPREAD)).isEqualTo(Spread.ONE_PER_RACK);
    reader.verify();
  }

  @Test
  void allProblemsAreToldTogetherEachWithItsRemedy() {
    conf.set(WAIT.key(), "1h");
    conf.set(SIZE.key(), "big");
    conf.set(ON.key(), "yes");
    SettingReader reader = new SettingReader(conf);
    reader.read(WAIT);
    reader.read(SIZE);
    reader.read(ON);
    reader.require(false, "a and b contradict. Remove a.");

    assertThatThrownBy(reader::verify)
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("4 problems")
        .hasMessageContaining(
            "orchestra.test.wait = '1h': more than 60s. Set a time with its unit (`500ms`, `10s`), from 100ms to 60s,"
                + " or remove it for the default 1s.")
        .hasMessageContaining("orchestra.test.size = 'big': not a number of bytes")
        .hasMessageContaining("orchestra.test.on = 'yes': neither true nor false")
        .hasMessageContaining("a and b contradict. Remove a.");
  }

  @ParameterizedTest
  @CsvSource({
    "orchestra.test.wait, 5",
    "orchestra.test.wait, soon",
    "orchestra.test.wait, 1ms",
    "orchestra.test.wait, -1s",
    "orchestra.test.size, -1",
    "orchestra.test.rate, 100",
    "orchestra.test.rate, 0mbit",
    "orchestra.test.rate, -5mbit",
    "orchestra.test.count, 0",
    "orchestra.test.count, 65",
    "orchestra.test.count, 1.5",
    "orchestra.test.part, 1.01",
    "orchestra.test.part, NaN",
    "orchestra.test.spread, wide",
  })
  void anUnusableValueIsAProblem(String key, String value) {
    conf.set(key, value);
    SettingReader reader = new SettingReader(conf);
    List.of(WAIT, SIZE, RATE, COUNT, PART, SPREAD).forEach(reader::readOptional);

    assertThatThrownBy(reader::verify).hasMessageContaining("1 problem").hasMessageContaining(key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"8bit", "1kbit", "2.5gbit", "100MBIT", "1tbit"})
  void ratesTakeTheUsualUnits(String text) {
    conf.set(RATE.key(), text);
    SettingReader reader = new SettingReader(conf);

    assertThat(reader.readOptional(RATE)).isPresent();
    assertThatCode(reader::verify).doesNotThrowAnyException();
  }

  @Test
  void misspeltKeysAreFound() {
    conf.set("orchestra.test.wiat", "1s");
    conf.set(WAIT.key(), "1s");
    conf.set("orchestra.testing.wait", "1s");

    assertThat(SettingReader.unknownKeys(conf, "orchestra.test.", List.of(WAIT)))
        .containsExactly("orchestra.test.wiat");
  }
}
