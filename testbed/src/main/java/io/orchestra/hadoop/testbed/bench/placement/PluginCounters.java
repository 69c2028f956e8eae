package io.orchestra.hadoop.testbed.bench.placement;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.bench.Measurement;
import java.util.Map;
import java.util.TreeMap;

/**
 * Replicas by how their place was found, as the plugin in the NameNode counts.
 *
 * @param outcomes counts by the plugin's names
 */
record PluginCounters(Map<String, Long> outcomes) {

  static PluginCounters of(JsonNode report) {
    Map<String, Long> outcomes = new TreeMap<>();
    report
        .path("picks")
        .fields()
        .forEachRemaining(e -> outcomes.put(e.getKey(), e.getValue().asLong()));
    return new PluginCounters(outcomes);
  }

  PluginCounters since(PluginCounters before) {
    Map<String, Long> difference = new TreeMap<>();
    outcomes.forEach((name, count) -> difference.put(name, count - before.outcomes.get(name)));
    return new PluginCounters(difference);
  }

  /** Adds the counts, and whether the plugin acted where it should and nowhere else. */
  void addTo(Measurement.Builder measurement, boolean acts) {
    outcomes.forEach((name, count) -> measurement.counter("replicas: " + name, count));
    long network = outcomes.getOrDefault("network", 0L);
    long failures = outcomes.getOrDefault("failure", 0L);
    long all = outcomes.values().stream().mapToLong(Long::longValue).sum();
    if (acts) {
      measurement.check(
          "the plugin placed most replicas that HDFS would have drawn",
          2 * network > all && failures == 0,
          network + " of " + all + ", " + failures + " failures");
    } else {
      measurement.check("the plugin placed nothing", all == 0, all + " replicas");
    }
  }
}
