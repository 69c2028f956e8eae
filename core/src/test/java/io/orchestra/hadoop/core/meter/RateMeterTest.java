package io.orchestra.hadoop.core.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.core.meter.InterfaceCounters.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RateMeterTest {
  @TempDir Path directory;

  @Test
  void ratesAreDifferencesOverTheTimeBetweenReadings() throws IOException {
    RateMeter meter =
        new RateMeter(new Script(new Reading(1000, 500, 0), new Reading(3000, 600, 500_000_000)));

    assertThat(meter.sample()).as("of one reading there is no rate").isEmpty();
    assertThat(meter.sample()).contains(new RateMeter.Rates(4000, 200, Duration.ofMillis(500)));
  }

  @Test
  void aCounterThatWentBackwardsGivesNoRateOnce() throws IOException {
    RateMeter meter =
        new RateMeter(
            new Script(
                new Reading(5000, 5000, 0),
                new Reading(10, 20, 1_000_000_000),
                new Reading(110, 20, 2_000_000_000)));
    meter.sample();

    assertThat(meter.sample()).isEmpty();
    assertThat(meter.sample()).contains(new RateMeter.Rates(100, 0, Duration.ofSeconds(1)));
  }

  @Test
  void noTimeGivesNoRate() throws IOException {
    RateMeter meter = new RateMeter(new Script(new Reading(1, 1, 7), new Reading(2, 2, 7)));
    meter.sample();

    assertThat(meter.sample()).isEmpty();
  }

  @Test
  void countersAndSpeedAreReadFromSysfs() throws IOException {
    write("statistics/rx_bytes", "123\n");
    write("statistics/tx_bytes", "456\n");
    write("speed", "10000\n");
    SysfsInterface sysfs = new SysfsInterface(directory);

    assertThat(sysfs.read().received()).isEqualTo(123);
    assertThat(sysfs.read().transmitted()).isEqualTo(456);
    assertThat(sysfs.linkCapacity()).hasValue(1_250_000_000L);
  }

  @Test
  void aCounterIsReadFromItsBeginningEachTime() throws IOException {
    write("statistics/tx_bytes", "0\n");
    SysfsInterface sysfs = new SysfsInterface(directory);
    for (long bytes : new long[] {9, 1_000_000, 7}) {
      write("statistics/rx_bytes", bytes + "\n");

      assertThat(sysfs.read().received()).isEqualTo(bytes);
    }
  }

  @Test
  void theFileOfACounterStaysOpenUntilItTellsNothing() throws IOException {
    write("statistics/rx_bytes", "5\n");
    write("statistics/tx_bytes", "0\n");
    SysfsInterface sysfs = new SysfsInterface(directory);
    assertThat(sysfs.read().received()).isEqualTo(5);

    Path before = directory.resolve("before");
    Files.move(directory.resolve("statistics/rx_bytes"), before);
    write("statistics/rx_bytes", "7\n");
    assertThat(sysfs.read().received()).as("it is not opened again").isEqualTo(5);

    Files.writeString(before, "");
    assertThat(sysfs.read().received()).as("of the interface of that name").isEqualTo(7);
  }

  @Test
  void anUnknownSpeedIsNoSpeed() throws IOException {
    SysfsInterface sysfs = new SysfsInterface(directory);
    assertThat(sysfs.linkCapacity()).isEmpty();

    for (String text : new String[] {"-1", "0", "4294967295", "fast"}) {
      write("speed", text + "\n");
      assertThat(sysfs.linkCapacity()).as(text).isEmpty();
    }
  }

  @Test
  void garbageInACounterFileIsAnErrorThatNamesTheFile() throws IOException {
    write("statistics/rx_bytes", "many\n");

    assertThatThrownBy(() -> new SysfsInterface(directory).read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rx_bytes holds 'many'");
  }

  @Test
  void aMissingInterfaceIsAnError() {
    assertThatThrownBy(() -> SysfsInterface.named("no-such-interface"))
        .isInstanceOf(IOException.class);
  }

  private void write(String file, String text) throws IOException {
    Path path = directory.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private static final class Script implements InterfaceCounters {
    private final Queue<Reading> readings;

    Script(Reading... readings) {
      this.readings = new ArrayDeque<>(List.of(readings));
    }

    @Override
    public Reading read() {
      return readings.remove();
    }
  }
}
