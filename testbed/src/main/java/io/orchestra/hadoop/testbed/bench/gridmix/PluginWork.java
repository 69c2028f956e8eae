package io.orchestra.hadoop.testbed.bench.gridmix;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What the plugins say that they have done since their daemons started; nothing if they are not
 * there.
 *
 * @param counts by plugin and by name
 */
record PluginWork(Map<Plugin, Map<String, Long>> counts) {
  /** What a plugin has done if it has done its work at all. */
  private static final Map<Plugin, Set<String>> ESSENTIAL =
      Map.of(
          Plugin.PLACEMENT, Set.of("network"),
          Plugin.BROADCAST, Set.of("bytes received by peers"),
          Plugin.SHUFFLE, Set.of("sizes told"),
          Plugin.PREFETCH, Set.of("ready", "partly"));

  /**
   * Asks all daemons that plugins are in.
   *
   * @param ask what is at an address inside the cluster, if anything
   */
  static PluginWork read(Function<String, Optional<JsonNode>> ask, List<String> workers) {
    Map<Plugin, Map<String, Long>> counts = new TreeMap<>();
    counts.put(Plugin.PLACEMENT, fields(ask.apply("http://m1:9870/orchestra/placement"), "picks"));
    counts.put(Plugin.PREFETCH, fields(ask.apply("http://m1:8088/orchestra/prefetch"), "locality"));
    counts.put(
        Plugin.BROADCAST,
        sum(
            ask,
            workers,
            "http://%s:9864/jmx?qry=Hadoop:service=DataNode,name=OrchestraSwarmPeer",
            "BytesReceived",
            "bytes received by peers"));
    counts.put(
        Plugin.SHUFFLE,
        sum(
            ask,
            workers,
            "http://%s:8042/jmx?qry=Hadoop:service=NodeManager,name=OrchestraShuffleServer",
            "SizesAnswered",
            "sizes told"));
    return new PluginWork(counts);
  }

  private static Map<String, Long> fields(Optional<JsonNode> report, String object) {
    Map<String, Long> fields = new TreeMap<>();
    report.ifPresent(
        json ->
            json.path(object)
                .fields()
                .forEachRemaining(field -> fields.put(field.getKey(), field.getValue().asLong())));
    return fields;
  }

  /** Over the workers that have such a metrics source; nothing if none has. */
  private static Map<String, Long> sum(
      Function<String, Optional<JsonNode>> ask,
      List<String> workers,
      String address,
      String figure,
      String name) {
    Map<String, Long> sum = new TreeMap<>();
    for (String worker : workers) {
      ask.apply(address.formatted(worker))
          .map(answer -> answer.path("beans").path(0).path(figure))
          .filter(JsonNode::isNumber)
          .ifPresent(value -> sum.merge(name, value.asLong(), Long::sum));
    }
    return sum;
  }

  /** Adds the counts, and for each plugin the check that it worked, or that it was not there. */
  void addTo(Measurement.Builder measurement, List<Plugin> on) {
    counts.forEach(
        (plugin, own) -> {
          own.forEach(
              (name, count) -> measurement.counter(plugin.pluginName() + ": " + name, count));
          if (on.contains(plugin)) {
            measurement.check(
                plugin.pluginName() + " worked",
                ESSENTIAL.get(plugin).stream().anyMatch(name -> own.getOrDefault(name, 0L) > 0),
                own.toString());
          } else {
            measurement.check(plugin.pluginName() + " was off", own.isEmpty(), own.toString());
          }
        });
  }
}
