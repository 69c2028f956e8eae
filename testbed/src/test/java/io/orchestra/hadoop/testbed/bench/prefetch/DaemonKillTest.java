package io.orchestra.hadoop.testbed.bench.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.prefetch.DaemonKill.Block;
import io.orchestra.hadoop.testbed.bench.prefetch.DaemonKill.Killed;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DaemonKillTest {
  private static final List<Block> BLOCKS = List.of(new Block("r1h2", 5), new Block("r2h1", 7));

  @Test
  void blocksAreOnTheirWayOnceSomeOfThemHasCome() throws JsonProcessingException {
    String report =
        """
        {"flows": [{"to": "r1h2", "bytes": 5}, {"to": "r1h1", "bytes": 0},
                   {"to": "r2h1", "bytes": 7}]}""";

    assertThat(DaemonKill.onTheirWay(new ObjectMapper().readTree(report))).isEqualTo(BLOCKS);
  }

  @Test
  void aDataNodeIsKilledToWhichABlockComesIfThereIsOne() {
    List<String> hosts = List.of("r2h2", "r2h1", "r1h2");

    assertThat(DaemonKill.target(hosts, BLOCKS)).isEqualTo("r2h1");
    assertThat(DaemonKill.target(hosts, List.of())).isEqualTo("r2h2");
    assertThat(DaemonKill.target(List.of("m1"), BLOCKS)).isEqualTo("m1");
  }

  @Test
  void aDataNodeTakesTheBlocksWithItThatCameToItAndAResourceManagerNone() {
    assertThat(killed(Daemon.DATANODE, "r1h2").lost()).containsExactly(new Block("r1h2", 5));
    assertThat(killed(Daemon.RESOURCEMANAGER, "m1").lost()).isEmpty();
  }

  @Test
  void whoIsKilledMuchLaterThanPlannedDisturbsLess() {
    assertThat(killed(Daemon.DATANODE, "r1h2", 10_000).isInTime()).isTrue();
    assertThat(killed(Daemon.DATANODE, "r1h2", 10_001).isInTime()).isFalse();
  }

  @Test
  void aReaderSeesWhatWasHitAndWhen() {
    Measurement.Builder measurement = Measurement.builder();

    killed(Daemon.DATANODE, "r1h2").addTo(measurement);

    assertThat(measurement.build().counters())
        .containsEntry("killed: milliseconds after the beginning", 120_000L)
        .containsEntry("killed: milliseconds later than planned", 3_000L)
        .containsEntry("killed: milliseconds until it served again", 9_000L)
        .containsEntry("killed: on r1h2", 1L)
        .containsEntry("killed: blocks on their way then", 2L)
        .containsEntry("killed: blocks on their way that it took with it", 1L)
        .containsEntry("killed: bytes that had come of these", 5L);
  }

  @Test
  void nothingCountsAsLostWithAResourceManager() {
    Measurement.Builder measurement = Measurement.builder();

    killed(Daemon.RESOURCEMANAGER, "m1").addTo(measurement);

    assertThat(measurement.build().counters())
        .containsEntry("killed: blocks on their way then", 2L)
        .doesNotContainKeys(
            "killed: blocks on their way that it took with it",
            "killed: bytes that had come of these");
  }

  private static Killed killed(Daemon daemon, String host) {
    return killed(daemon, host, 3_000);
  }

  private static Killed killed(Daemon daemon, String host, long delayMillis) {
    return new Killed(daemon, host, 120_000, delayMillis, 500_000, 509_000, BLOCKS);
  }
}
