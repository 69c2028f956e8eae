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
import java.util.stream.Stream;

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
        sum(
            Stream.of("http://m1:8088"),
            address -> bean.apply(address, "ResourceManager,name=OrchestraPrediction"),
            "JobsHeard",
            HEARD));
    List<String> dataNodes = workers.stream().map(worker -> "http://" + worker + ":9864").toList();
    BROUGHT.forEach(
        (figure, name) ->
            prefetch.putAll(
                sum(
                    dataNodes.stream(),
                    address -> bean.apply(address, "DataNode,name=OrchestraPrefetchDaemon"),
                    figure,
                    name)));
    counts.put(Plugin.PREFETCH, prefetch);
    Map<String, Long> broadcast = new TreeMap<>();
    RECEIVED.forEach(
        (figure, name) ->
            broadcast.putAll(
                sum(
                    dataNodes.stream(),
                    address -> bean.apply(address, "DataNode,name=OrchestraSwarmPeer"),
                    figure,
                    name)));
    counts.put(Plugin.BROADCAST, broadcast);
    counts.put(
        Plugin.SHUFFLE,
        sum(
            workers.stream().map(worker -> "http://" + worker + ":8042"),
            address -> bean.apply(address, "NodeManager,name=OrchestraShuffleServer"),
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

  /** Over the daemons that have such a metrics source; nothing if none has. */
  private static Map<String, Long> sum(
      Stream<String> addresses, Function<String, JsonNode> source, String figure, String name) {
    Map<String, Long> sum = new TreeMap<>();
    addresses
        .map(address -> source.apply(address).path(figure))
        .filter(JsonNode::isNumber)
        .forEach(value -> sum.merge(name, value.asLong(), Long::sum));
    return sum;
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
