package io.orchestra.hadoop.testbed.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HistoryServerTest {
  @Test
  void countersOfAllGroupsHaveTheirNames() throws JsonProcessingException {
    String jobCounters =
        """
        {"counterGroup":[
          {"counter":[{"name":"HDFS_BYTES_READ","totalCounterValue":16}]},
          {"counter":[{"name":"DATA_LOCAL_MAPS","totalCounterValue":1},
                      {"name":"MAP_INPUT_RECORDS","totalCounterValue":2}]}]}
        """;

    assertThat(HistoryServer.counters(new ObjectMapper().readTree(jobCounters)))
        .isEqualTo(Map.of("HDFS_BYTES_READ", 16L, "DATA_LOCAL_MAPS", 1L, "MAP_INPUT_RECORDS", 2L));
  }
}
