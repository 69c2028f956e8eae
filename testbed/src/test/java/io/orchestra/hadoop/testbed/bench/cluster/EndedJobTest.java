package io.orchestra.hadoop.testbed.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class EndedJobTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final EndedJob job =
      EndedJob.of(
          JSON.readTree(
              """
              {"id":"job_1_0002","name":"GRIDMIX000011","state":"SUCCEEDED","submitTime":1000,
               "startTime":3000,"finishTime":8500,"mapsTotal":4,"reducesTotal":2}
              """),
          JSON.readTree("{\"avgMapTime\":1500,\"avgShuffleTime\":2500}"),
          Map.of("DATA_LOCAL_MAPS", 3L));

  EndedJobTest() throws JsonProcessingException {}

  @Test
  void aJobTakesFromItsSubmissionToItsEnd() {
    assertThat(job.id()).isEqualTo("job_1_0002");
    assertThat(job.name()).isEqualTo("GRIDMIX000011");
    assertThat(job.succeeded()).isTrue();
    assertThat(job.begun()).isEqualTo(3000);
    assertThat(job.seconds()).isEqualTo(7.5);
    assertThat(job.mapSeconds()).isEqualTo(1.5);
    assertThat(job.shuffleSeconds()).isEqualTo(2.5);
    assertThat(job.counter("DATA_LOCAL_MAPS")).isEqualTo(3);
    assertThat(job.counter("OTHER")).isZero();
  }

  @Test
  void meansAreOverMapsAndNotOverJobs() {
    EndedJob larger = new EndedJob("job_1_0003", "other", true, 0, 0, 0, 12, 0, 3.5, 0, Map.of());

    assertThat(EndedJob.meanMap(List.of(job, larger))).isEqualTo(3.0);
    assertThat(EndedJob.localMaps(List.of(job, larger))).isEqualTo(3.0 / 16);
  }
}
