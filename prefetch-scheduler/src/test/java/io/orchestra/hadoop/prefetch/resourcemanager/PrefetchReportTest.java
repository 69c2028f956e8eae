package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchFlow;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Progress;
import io.orchestra.hadoop.prefetch.resourcemanager.PrefetchReport.FlowReport;
import org.junit.jupiter.api.Test;

final class PrefetchReportTest {
  private static final Progress FLOW =
      new Progress(new PrefetchFlow(1, "job", "a", "b"), 300, 200, 100, false);

  @Test
  void aFlowHasTheRateThatItsDaemonWasTold() {
    assertThat(json(true).path("rate").asLong()).isEqualTo(300);
  }

  @Test
  void whereDaemonsAreToldNoRatesNoneIsSaid() {
    assertThat(json(false).fieldNames())
        .toIterable()
        .containsOnly("id", "job", "from", "to", "guaranteed", "bytes", "reading");
  }

  private static JsonNode json(boolean isPaced) {
    return new ObjectMapper().valueToTree(FlowReport.of(FLOW, isPaced));
  }
}
