package io.orchestra.hadoop.placement.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.rpc.LinkReport;
import io.orchestra.hadoop.placement.PlacementConfig;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ReportIntakeTest {
  private ReportIntake intake;

  @BeforeEach
  void oneDataNodeIsRegistered() throws InvalidConfigurationException {
    PlacementConfig config = PlacementConfig.from(new Configuration(false));
    intake = new ReportIntake(() -> config, () -> 0);
    intake.members(ImmutableMap.of("uuid-1", "10.0.0.1"));
  }

  @Test
  void aReportFromTheDataNodesOwnAddressCounts() {
    assertThat(intake.accept(report(1, 500, OptionalLong.of(1000)), "10.0.0.1")).isTrue();

    assertThat(intake.load("uuid-1").orElseThrow().received()).isEqualTo(500);
    assertThat(intake.linkCapacity("uuid-1")).isEqualTo(1000);
    assertThat(intake.accepted()).isEqualTo(1);
  }

  @Test
  void nobodyReportsForAnother() {
    assertThat(intake.accept(report(1, 0, OptionalLong.empty()), "10.0.0.66")).isFalse();
    assertThat(intake.accept(report(1, 0, OptionalLong.empty()), "")).isFalse();

    assertThat(intake.load("uuid-1")).isEmpty();
    assertThat(intake.rejected()).isEqualTo(2);
  }

  @Test
  void aDataNodeThatIsNotRegisteredIsNobody() {
    intake.members(ImmutableMap.of());

    assertThat(intake.accept(report(1, 0, OptionalLong.empty()), "10.0.0.1")).isFalse();
  }

  @Test
  void senselessNumbersAreDropped() {
    assertThat(intake.accept(report(1, -1, OptionalLong.empty()), "10.0.0.1")).isFalse();
    assertThat(intake.accept(report(1, 0, OptionalLong.of(0)), "10.0.0.1")).isFalse();
    assertThat(intake.accept(report(1, 0, OptionalLong.of(Long.MAX_VALUE)), "10.0.0.1")).isFalse();

    assertThat(intake.load("uuid-1")).isEmpty();
  }

  @Test
  void namesThatAreNoAddressesAreNotKept() {
    assertThat(intake.accept(from("a".repeat(65)), "10.0.0.1")).isFalse();
    assertThat(intake.accept(from("a".repeat(64)), "10.0.0.1")).isTrue();
  }

  private static LinkReport from(String source) {
    return new LinkReport(
        "uuid-1",
        1,
        Duration.ofSeconds(1),
        0,
        0,
        0,
        List.of(source),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  @Test
  void aRepeatedReportIsDropped() {
    assertThat(intake.accept(report(7, 10, OptionalLong.empty()), "10.0.0.1")).isTrue();
    assertThat(intake.accept(report(7, 99, OptionalLong.empty()), "10.0.0.1")).isFalse();

    assertThat(intake.load("uuid-1").orElseThrow().received()).isEqualTo(10);
  }

  @Test
  void anUnknownCapacityIsTakenAsOneGigabit() {
    assertThat(intake.accept(report(1, 0, OptionalLong.empty()), "10.0.0.1")).isTrue();

    assertThat(intake.linkCapacity("uuid-1")).isEqualTo(125_000_000);
    assertThat(intake.diskCapacity("uuid-1")).isEqualTo(Long.MAX_VALUE);
  }

  private static LinkReport report(long sequence, long received, OptionalLong capacity) {
    return new LinkReport(
        "uuid-1",
        sequence,
        Duration.ofSeconds(1),
        received,
        0,
        0,
        List.of(),
        capacity,
        OptionalLong.empty());
  }
}
