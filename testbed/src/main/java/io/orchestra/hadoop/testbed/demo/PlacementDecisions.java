package io.orchestra.hadoop.testbed.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the placement plugin did, as its NameNode tells.
 *
 * @param coverage fraction of the DataNodes that report
 * @param reasons replicas by how their place was found
 * @param meanings what those reasons mean
 * @param hosts replicas that the plugin placed, by host
 */
record PlacementDecisions(
    double coverage,
    Map<String, Long> reasons,
    Map<String, String> meanings,
    Map<String, Long> hosts) {
  private static final String BY_NETWORK = "network";

  static PlacementDecisions of(JsonNode report) {
    Map<String, Long> reasons = new LinkedHashMap<>();
    report
        .path("picks")
        .fields()
        .forEachRemaining(e -> reasons.put(e.getKey(), e.getValue().asLong()));
    Map<String, String> meanings = new LinkedHashMap<>();
    report
        .path("outcomes")
        .fields()
        .forEachRemaining(e -> meanings.put(e.getKey(), e.getValue().asText()));
    Map<String, Long> hosts = new TreeMap<>();
    // DataNodes of an in-process cluster share one host name.
    report
        .path("nodes")
        .forEach(
            node ->
                hosts.merge(node.path("host").asText(), node.path("picks").asLong(), Long::sum));
    return new PlacementDecisions(report.path("coverage").asDouble(), reasons, meanings, hosts);
  }

  /** Replicas whose place was found by looking at links. */
  long byNetwork() {
    return reasons.getOrDefault(BY_NETWORK, 0L);
  }
}
