package io.orchestra.hadoop.testbed.bench.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orchestra.hadoop.testbed.bench.prefetch.JobHistory.MapRun;
import io.orchestra.hadoop.testbed.network.NetworkPlan;
import io.orchestra.hadoop.testbed.network.Rate;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a map read, and who has it. */
final class MapRunTest {
  private static final NetworkPlan PLAN = new NetworkPlan(2, 2, 1, Rate.UNLIMITED, Rate.UNLIMITED);

  @Test
  void mapsAreNumberedInTheOrderOfTheirJobsInputs() throws JsonProcessingException {
    String attempt =
        """
        {"id": "attempt_1700000000000_0007_m_000001_2", "nodeHttpAddress": "r1h2:8042",
         "elapsedTime": 2500, "startTime": 4250}""";

    assertThat(
            JobHistory.map("hdfs://m1/a,hdfs://m1/b", 1000, new ObjectMapper().readTree(attempt)))
        .isEqualTo(new MapRun("hdfs://m1/b", "r1h2", 2.5, 3.25));
  }

  @Test
  void eachRackHasAReplicaAndEachHostAsManyAsOthers() {
    List<List<String>> files =
        IntStream.range(0, JobMix.FILES)
            .mapToObj(file -> InputFiles.SOMEWHERE.hosts(file, PLAN))
            .toList();

    assertThat(files)
        .allSatisfy(
            hosts ->
                assertThat(hosts)
                    .extracting(host -> host.substring(0, 2))
                    .containsExactly("r1", "r2"));
    List<String> replicas = files.stream().flatMap(List::stream).toList();
    for (String host : List.of("r1h1", "r1h2", "r2h1", "r2h2")) {
      assertThat(replicas).filteredOn(host::equals).hasSize(JobMix.FILES / 2);
    }
  }

  @Test
  void aFilesHostsAreThoseItWasWrittenTo() {
    for (InputFiles files : InputFiles.values()) {
      for (int file : List.of(0, 1, 11)) {
        assertThat(InputFiles.hosts("hdfs://m1:8020" + files.path(file), PLAN))
            .isEqualTo(files.hosts(file, PLAN))
            .isNotEmpty();
      }
    }
    assertThatThrownBy(() -> InputFiles.hosts("/elsewhere/file1", PLAN))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
