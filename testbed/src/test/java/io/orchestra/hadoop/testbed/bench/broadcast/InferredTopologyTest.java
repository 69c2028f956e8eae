package io.orchestra.hadoop.testbed.bench.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

final class InferredTopologyTest {
  private static final String PEERS =
      """
      "peers": [
        {"datanode": "a", "rack": "/r1"}, {"datanode": "b", "rack": "/r1"},
        {"datanode": "c", "rack": "/r2"}, {"datanode": "d", "rack": "/r2"}]""";

  @Test
  void countsPairsThatAreRight() throws JsonProcessingException {
    assertThat(read("\"inferredRacks\": {\"a\": 0, \"b\": 0, \"c\": 1, \"d\": 0}"))
        .isEqualTo(new InferredTopology(2, 4, 6, 3));
  }

  @Test
  void hostsWithoutARackDoNotCount() throws JsonProcessingException {
    assertThat(read("\"inferredRacks\": {\"a\": 0, \"c\": 1}"))
        .isEqualTo(new InferredTopology(2, 2, 1, 1));
  }

  @Test
  void nothingInferredIsNoRack() throws JsonProcessingException {
    assertThat(read("\"inferredRacks\": {}")).isEqualTo(new InferredTopology(0, 0, 0, 0));
  }

  private static InferredTopology read(String racks) throws JsonProcessingException {
    return InferredTopology.of(new ObjectMapper().readTree("{" + PEERS + ", " + racks + "}"));
  }
}
