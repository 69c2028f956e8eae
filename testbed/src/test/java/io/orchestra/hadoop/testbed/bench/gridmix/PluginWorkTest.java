package io.orchestra.hadoop.testbed.bench.gridmix;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.google.common.collect.Maps;
import io.orchestra.hadoop.testbed.bench.Check;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.trace.CacheFile;
import io.orchestra.hadoop.testbed.trace.TraceJob;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PluginWorkTest {
  private static final String PEER = "http://%s:9864 DataNode,name=OrchestraSwarmPeer";
  private static final Map<String, String> ANSWERS =
      Map.of(
          "http://m1:9870/orchestra/placement",
          "{\"picks\":{\"network\":3,\"failure\":0}}",
          PEER.formatted("r1h1"),
          "{\"BytesReceived\":40,\"BytesReadFromHdfs\":7}",
          PEER.formatted("r1h2"),
          "{\"BytesReceived\":2}",
          PEER.formatted("r1h3"),
          "{}",
          "http://r1h1:9864 DataNode,name=OrchestraPrefetchDaemon",
          "{\"BytesCopied\":9}",
          "http://m1:8088/orchestra/prefetch",
          "{\"locality\":{\"local\":4,\"ready\":0}}",
          "http://m1:8088 ResourceManager,name=OrchestraPrediction",
          "{\"JobsHeard\":2}");

  private static final Map<Plugin, Long> ONCE = Maps.toMap(List.of(Plugin.values()), plugin -> 1L);

  @Test
  void countsAreThoseOfAllDaemons() {
    assertThat(read().counts().get(Plugin.PLACEMENT)).containsEntry("network", 3L);
    assertThat(read().counts().get(Plugin.BROADCAST))
        .isEqualTo(Map.of("bytes received by peers", 42L, "bytes read from replicas", 7L));
    assertThat(read().counts().get(Plugin.SHUFFLE)).isEmpty();
    assertThat(read().counts().get(Plugin.PREFETCH))
        .isEqualTo(Map.of("local", 4L, "ready", 0L, "jobs heard", 2L, "bytes copied", 9L));
  }

  @Test
  void pluginsMustWorkWhereTheyAreOnAndBeNowhereElse() {
    assertThat(passed(List.of(Plugin.PLACEMENT, Plugin.BROADCAST, Plugin.PREFETCH)))
        .containsExactly(true, true, true, true);
    assertThat(passed(List.of())).containsExactly(false, false, true, false);
    assertThat(passed(List.of(Plugin.values()))).containsExactly(true, true, false, true);
  }

  @Test
  void aPluginThatIsThereAndDoesNothingDoesNotWork() {
    Measurement.Builder measurement = Measurement.builder();
    new PluginWork(Map.of(Plugin.SHUFFLE, Map.of("sizes told", 0L)))
        .addTo(measurement, List.of(Plugin.SHUFFLE), Map.of(Plugin.SHUFFLE, 1L));
    assertThat(measurement.build().checks()).extracting(Check::passed).containsExactly(false);
  }

  @Test
  void theApplicationMasterOfEachJobMustHaveTold() {
    TraceJob job = new TraceJob("maps only", 0, 3, 0, 1000, 0, 500, List.of());
    for (int jobs = 1; jobs <= 3; jobs++) {
      Measurement.Builder measurement = Measurement.builder();
      new PluginWork(Map.of(Plugin.PREFETCH, Map.of("jobs heard", 2L)))
          .addTo(
              measurement,
              List.of(Plugin.PREFETCH),
              PluginWork.neededBy(Collections.nCopies(jobs, job)));
      assertThat(measurement.build().checks()).extracting(Check::passed).containsExactly(jobs <= 2);
    }
  }

  @Test
  void whatATraceHasNoWorkForNeedNotWork() {
    Map<Plugin, Long> needed =
        PluginWork.neededBy(List.of(new TraceJob("maps only", 0, 3, 0, 1000, 0, 500, List.of())));
    assertThat(needed).containsOnlyKeys(Plugin.PLACEMENT, Plugin.PREFETCH);
    assertThat(
            PluginWork.neededBy(
                List.of(
                    new TraceJob(
                        "all", 0, 3, 1, 1, 1, 1, List.of(new CacheFile("/f", 9, true, 0))))))
        .containsOnlyKeys(Plugin.values());

    Measurement.Builder measurement = Measurement.builder();
    new PluginWork(Map.of(Plugin.BROADCAST, Map.of("bytes received by peers", 0L)))
        .addTo(measurement, List.of(Plugin.values()), needed);
    assertThat(measurement.build().checks()).isEmpty();
  }

  private static List<Boolean> passed(List<Plugin> on) {
    Measurement.Builder measurement = Measurement.builder();
    read().addTo(measurement, on, ONCE);
    return measurement.build().checks().stream().map(Check::passed).toList();
  }

  private static PluginWork read() {
    return PluginWork.read(
        PluginWorkTest::answer,
        (address, bean) -> answer(address + " " + bean).orElseGet(() -> MissingNode.getInstance()),
        List.of("r1h1", "r1h2", "r1h3"));
  }

  private static Optional<JsonNode> answer(String question) {
    return Optional.ofNullable(ANSWERS.get(question)).map(PluginWorkTest::json);
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
