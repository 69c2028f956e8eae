package io.orchestra.hadoop.testbed.bench.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.Check;
import io.orchestra.hadoop.testbed.bench.Measurement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SwarmFiguresTest {
  private static final String SENT = "OrchestraSwarmPeer.BytesSent";
  private static final String RECEIVED = "OrchestraSwarmPeer.BytesReceived";
  private static final String FAILED = "OrchestraSwarmPeer.SwarmsFailed";
  private static final String SERVED = "OrchestraBlockCache.BytesServed";
  private static final String GIVEN_WAY = "OrchestraSwarmPeer.MillisGivenWay";
  private static final List<String> RECEIVERS = List.of("a", "b", "c", "d");

  @Test
  void figuresAreTakenSinceEarlierOnesAndMissingOnesAreZero() {
    SwarmFigures before = new SwarmFigures(Map.of("a", Map.of(SENT, 3L)));
    SwarmFigures after = new SwarmFigures(Map.of("a", Map.of(SENT, 5L, SERVED, 7L)));
    assertThat(after.since(before).hosts()).isEqualTo(Map.of("a", Map.of(SENT, 2L, SERVED, 7L)));
    assertThat(after.sum(RECEIVED, List.of("a", "b"))).isZero();
  }

  @Test
  void daemonThatHasStartedSinceCountsFromZero() {
    SwarmFigures before = new SwarmFigures(Map.of("a", Map.of(SENT, 30L)));
    SwarmFigures after = new SwarmFigures(Map.of("a", Map.of(SENT, 5L)));
    assertThat(after.since(before).hosts()).isEqualTo(Map.of("a", Map.of(SENT, 5L)));
  }

  @Test
  void allBytesMustHaveComeThroughTheCacheAndSomeFromOtherReceivers() {
    assertThat(acting(100, 50, 0)).allMatch(Check::passed);
    assertThat(acting(99, 50, 0)).anyMatch(check -> !check.passed());
    assertThat(acting(100, 0, 0)).anyMatch(check -> !check.passed());
    assertThat(acting(100, 50, 1)).anyMatch(check -> !check.passed());
  }

  @Test
  void filesMustHaveGivenWayWhereTheyTakeTurnsAndNowhereElse() {
    Measurement.Builder measurement = Measurement.builder();
    SwarmFigures turns = new SwarmFigures(Map.of("a", Map.of(GIVEN_WAY, 5L)));
    SwarmFigures none = new SwarmFigures(Map.of("a", Map.of(GIVEN_WAY, 0L)));
    turns.addTurns(measurement, true);
    none.addTurns(measurement, true);
    turns.addTurns(measurement, false);
    none.addTurns(measurement, false);
    assertThat(measurement.build().checks())
        .extracting(Check::passed)
        .containsExactly(true, false, false, true);
  }

  @Test
  void bytesSentAreCountedByWhoSentThem() {
    Measurement.Builder measurement = Measurement.builder();
    figures(100, 50, 0).addActing(measurement, RECEIVERS, 100);
    assertThat(measurement.build().counters())
        .containsEntry("bytes sent by receivers", 200L)
        .containsEntry("bytes sent by others", 9L);
  }

  @Test
  void stockMayMoveNothingThroughThePlugin() {
    Measurement.Builder measurement = Measurement.builder();
    figures(0, 0, 0).addIdle(measurement);
    new SwarmFigures(Map.of("a", Map.of(SERVED, 0L))).addIdle(measurement);
    assertThat(measurement.build().checks()).extracting(Check::passed).containsExactly(false, true);
  }

  private static List<Check> acting(long served, long sent, long failed) {
    Measurement.Builder measurement = Measurement.builder();
    figures(served, sent, failed).addActing(measurement, RECEIVERS, 100);
    return measurement.build().checks();
  }

  /** Each of four receivers has these figures, and a replica has sent 9 bytes. */
  private static SwarmFigures figures(long served, long sent, long failed) {
    Map<String, Map<String, Long>> hosts = new LinkedHashMap<>();
    RECEIVERS.forEach(host -> hosts.put(host, Map.of(SERVED, served, SENT, sent, FAILED, failed)));
    hosts.put("r", Map.of(SENT, 9L));
    return new SwarmFigures(hosts);
  }
}
