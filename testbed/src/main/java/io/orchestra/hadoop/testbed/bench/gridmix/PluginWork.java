package io.orchestra.hadoop.testbed.bench.gridmix;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.trace.TraceJob;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What the plugins say that they have done since their daemons started; nothing if they are not
 * there.
 *
 * @param counts by plugin and by name
 */
record PluginWork(Map<Plugin, Map<String, Long>> counts) {
  private static final String HEARD = "jobs heard";
  private static final String FROM_PEERS = "bytes received by peers";

  /** Names of figures of swarms, by what DataNodes call them. */
  private static final Map<String, String> RECEIVED =
      Map.of(
          "BytesReceived",
          FROM_PEERS,
          "BytesReadFromHdfs",
          "bytes read from replicas",
          "MillisGivenWay",
          "milliseconds in which files gave way");

  /** The same of blocks that were brought. */
  private static final Map<String, String> BROUGHT =
      Map.of(
          "BytesCopied",
          "bytes copied",
          "BytesUsed",
          "bytes used",
          "BytesWasted",
          "bytes wasted",
          "ConfirmedBytesUsed",
          "confirmed bytes used",
          "ConfirmedBytesWasted",
          "confirmed bytes wasted");

  /** What a plugin has done if it has done its work at all. */
  private static final Map<Plugin, String> ESSENTIAL =
      Map.of(
          Plugin.PLACEMENT,
          "network",
          Plugin.BROADCAST,
          FROM_PEERS,
          Plugin.SHUFFLE,
          "sizes told",
          // How many maps it can bring anything to is chance, where few wait.
          Plugin.PREFETCH,
          HEARD);

  /**
   * Asks all daemons that plugins are in.
   *
   * @param ask what is at an address inside the cluster, if anything
   * @param bean what a daemon at an address says of a bean; a missing node if it has none
   */
  static PluginWork read(
      Function<String, Optional<JsonNode>> ask,
      BiFunction<String, String, JsonNode> bean,
      List<String> workers) {
    Map<Plugin, Map<String, Long>> counts = new TreeMap<>();
    counts.put(Plugin.PLACEMENT, fields(ask.apply("http://m1:9870/orchestra/placement"), "picks"));
    Map<String, Long> prefetch = fields(ask.apply("http://m1:8088/orchestra/prefetch"), "locality");
    prefetch.putAll(
        sums(
            bean,
            List.of("http://m1:8088"),
            "ResourceManager,name=OrchestraPrediction",
            Map.of("JobsHeard", HEARD)));
    List<String> dataNodes = workers.stream().map(worker -> "http://" + worker + ":9864").toList();
    prefetch.putAll(sums(bean, dataNodes, "DataNode,name=OrchestraPrefetchDaemon", BROUGHT));
    counts.put(Plugin.PREFETCH, prefetch);
    counts.put(
        Plugin.BROADCAST, sums(bean, dataNodes, "DataNode,name=OrchestraSwarmPeer", RECEIVED));
    counts.put(
        Plugin.SHUFFLE,
        sums(
            bean,
            workers.stream().map(worker -> "http://" + worker + ":8042").toList(),
            "NodeManager,name=OrchestraShuffleServer",
            Map.of("SizesAnswered", "sizes told")));
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

  /**
   * Over the daemons that have such a metrics source; nothing if none has.
   *
   * @param names of figures, by what the source calls them
   */
  private static Map<String, Long> sums(
      BiFunction<String, String, JsonNode> bean,
      List<String> addresses,
      String source,
      Map<String, String> names) {
    Map<String, Long> sums = new TreeMap<>();
    for (String address : addresses) {
      JsonNode answer = bean.apply(address, source);
      names.forEach(
          (figure, name) -> {
            if (answer.path(figure).isNumber()) {
              sums.merge(name, answer.path(figure).asLong(), Long::sum);
            }
          });
    }
    return sums;
  }

  /**
   * Plugins that have something to do with such jobs, and how much at least: the application master
   * of each job tells of its maps.
   */
  static Map<Plugin, Long> neededBy(List<TraceJob> jobs) {
    Map<Plugin, Long> needed = new EnumMap<>(Map.of(Plugin.PREFETCH, (long) jobs.size()));
    for (TraceJob job : jobs) {
      if (job.outputBytes() > 0) {
        needed.put(Plugin.PLACEMENT, 1L);
      }
      if (job.reduces() > 0) {
        needed.put(Plugin.SHUFFLE, 1L);
      }
      if (!job.files().isEmpty()) {
        needed.put(Plugin.BROADCAST, 1L);
      }
    }
    return needed;
  }

  /**
   * Adds the counts, and for each plugin the check that it worked, or that it was not there.
   *
   * @param needed those of which work is expected where they are on, and how much at least
   */
  void addTo(Measurement.Builder measurement, List<Plugin> on, Map<Plugin, Long> needed) {
    counts.forEach(
        (plugin, own) -> {
          own.forEach(
              (name, count) -> measurement.counter(plugin.pluginName() + ": " + name, count));
          if (on.contains(plugin) && needed.containsKey(plugin)) {
            measurement.check(
                plugin.pluginName() + " worked",
                own.getOrDefault(ESSENTIAL.get(plugin), 0L) >= needed.get(plugin),
                own.toString());
          } else if (!on.contains(plugin)) {
            measurement.check(plugin.pluginName() + " was off", own.isEmpty(), own.toString());
          }
        });
  }
}
