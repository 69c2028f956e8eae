package io.orchestra.hadoop.testbed.bench.gridmix;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orchestra.hadoop.testbed.bench.Check;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PluginWorkTest {
  private static final String PEER =
      "http://%s:9864/jmx?qry=Hadoop:service=DataNode,name=OrchestraSwarmPeer";
  private static final Map<String, String> ANSWERS =
      Map.of(
          "http://m1:9870/orchestra/placement",
          "{\"picks\":{\"network\":3,\"failure\":0}}",
          PEER.formatted("r1h1"),
          "{\"beans\":[{\"BytesReceived\":40}]}",
          PEER.formatted("r1h2"),
          "{\"beans\":[{\"BytesReceived\":2}]}",
          PEER.formatted("r1h3"),
          "{\"beans\":[]}");

  @Test
  void countsAreThoseOfAllDaemons() {
    assertThat(read().counts().get(Plugin.PLACEMENT)).containsEntry("network", 3L);
    assertThat(read().counts().get(Plugin.BROADCAST))
        .containsExactly(Map.entry("bytes received by peers", 42L));
    assertThat(read().counts().get(Plugin.SHUFFLE)).isEmpty();
    assertThat(read().counts().get(Plugin.PREFETCH)).isEmpty();
  }

  @Test
  void pluginsMustWorkWhereTheyAreOnAndBeNowhereElse() {
    assertThat(passed(List.of(Plugin.PLACEMENT, Plugin.BROADCAST)))
        .containsExactly(true, true, true, true);
    assertThat(passed(List.of())).containsExactly(false, false, true, true);
    assertThat(passed(List.of(Plugin.values()))).containsExactly(true, true, false, false);
  }

  @Test
  void aPluginThatIsThereAndDoesNothingDoesNotWork() {
    Measurement.Builder measurement = Measurement.builder();
    new PluginWork(Map.of(Plugin.SHUFFLE, Map.of("sizes told", 0L)))
        .addTo(measurement, List.of(Plugin.SHUFFLE));
    assertThat(measurement.build().checks()).extracting(Check::passed).containsExactly(false);
  }

  private static List<Boolean> passed(List<Plugin> on) {
    Measurement.Builder measurement = Measurement.builder();
    read().addTo(measurement, on);
    return measurement.build().checks().stream().map(Check::passed).toList();
  }

  private static PluginWork read() {
    return PluginWork.read(
        address -> Optional.ofNullable(ANSWERS.get(address)).map(PluginWorkTest::json),
        List.of("r1h1", "r1h2", "r1h3"));
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
