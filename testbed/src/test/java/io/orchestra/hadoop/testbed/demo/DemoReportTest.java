package io.orchestra.hadoop.testbed.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class DemoReportTest {
  private static final List<Step> STEPS = Step.all(List.of(Path.of("/a.txt")), 10);

  @Test
  void equalOutputsAndPicksByTheNetworkAreASuccess() {
    DemoReport report =
        report(arm("a", Optional.empty()), arm("a", Optional.of(decisions(5))), List.of());
    assertThat(report.failures()).isEmpty();
    assertThat(report.text())
        .contains("WHAT RAN", "PLACEMENT", "terasort", "equal (1 files, 0.0 MB)")
        .contains("5 network", "by host: r1h1 3, r1h2 2")
        .contains("all outputs are equal byte for byte");
  }

  @Test
  void oneDifferentByteIsAFailure() {
    DemoReport report =
        report(arm("a", Optional.empty()), arm("b", Optional.of(decisions(5))), List.of());
    assertThat(report.failures()).hasSize(STEPS.size()).allMatch(f -> f.contains("differ"));
    assertThat(report.text()).contains("DIFFERENT", "FAILED: the outputs of wordcount differ");
  }

  @Test
  void pluginThatDecidedNothingIsAFailure() {
    DemoReport report =
        report(arm("a", Optional.empty()), arm("a", Optional.of(decisions(0))), List.of());
    assertThat(report.failures()).singleElement().asString().contains("no replica by the network");
  }

  @Test
  void leftoversAreAFailure() {
    DemoReport report =
        report(
            arm("a", Optional.empty()), arm("a", Optional.of(decisions(1))), List.of("process 7"));
    assertThat(report.failures()).containsExactly("left behind: process 7");
  }

  private static DemoReport report(Arm stock, Arm second, List<String> leftovers) {
    return new DemoReport("here", List.of(Plugin.PLACEMENT), STEPS, stock, second, leftovers);
  }

  private static Arm arm(String digest, Optional<PlacementDecisions> decisions) {
    Map<String, Double> seconds = new HashMap<>();
    Map<String, Outputs> outputs = new HashMap<>();
    for (Step step : STEPS) {
      seconds.put(step.title(), 1.0);
      outputs.put(step.title(), new Outputs(new TreeMap<>(Map.of("part", digest)), 3));
    }
    return new Arm(seconds, outputs, decisions);
  }

  private static PlacementDecisions decisions(int byNetwork) {
    String json =
        """
        {"coverage": 1.0, "picks": {"network": %d}, "outcomes": {"network": "by links"},
         "nodes": [{"host": "r1h2", "picks": 2}, {"host": "r1h1", "picks": 3}]}
        """
            .formatted(byNetwork);
    try {
      return PlacementDecisions.of(new ObjectMapper().readTree(json));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
