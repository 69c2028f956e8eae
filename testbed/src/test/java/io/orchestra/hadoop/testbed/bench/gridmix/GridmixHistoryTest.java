package io.orchestra.hadoop.testbed.bench.gridmix;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GridmixHistoryTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void jobsAreNumberedAsInTheTrace() throws JsonProcessingException {
    GridmixHistory.Job job =
        GridmixHistory.job(
            JSON.readTree(
                """
                {"name":"GRIDMIX000011","state":"SUCCEEDED","submitTime":1000,"startTime":3000,
                 "finishTime":8500,"mapsTotal":4,"reducesTotal":2}
                """),
            JSON.readTree("{\"avgMapTime\":1500,\"avgShuffleTime\":2500}"),
            Map.of("DATA_LOCAL_MAPS", 3L));
    assertThat(job.number()).isEqualTo(11);
    assertThat(job.succeeded()).isTrue();
    assertThat(job.seconds()).isEqualTo(7.5);
    assertThat(job.mapSeconds()).isEqualTo(1.5);
    assertThat(job.shuffleSeconds()).isEqualTo(2.5);
    assertThat(job.localMaps()).isEqualTo(3);
  }

  @Test
  void signaturesHaveWhatWasReadAndWrittenAndNothingOfWhere() {
    Map<String, Long> counters =
        Map.of("HDFS_BYTES_READ", 16L, "DATA_LOCAL_MAPS", 1L, "MAP_INPUT_RECORDS", 2L);
    assertThat(new GridmixHistory.Job(0, true, 0, 0, 1, 0, 0, 0, counters).signature())
        .contains("HDFS_BYTES_READ=16", "MAP_INPUT_RECORDS=2", "REDUCE_INPUT_RECORDS=0")
        .doesNotContain("LOCAL");
  }
}
