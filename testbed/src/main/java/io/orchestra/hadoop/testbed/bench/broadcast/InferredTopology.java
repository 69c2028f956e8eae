package io.orchestra.hadoop.testbed.bench.broadcast;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a tracker inferred, beside the truth.
 *
 * @param racks it believes there are; 0 if it knows nothing
 * @param hosts in them
 * @param pairs of those hosts
 * @param rightPairs which share a rack in both, or in neither
 */
record InferredTopology(int racks, int hosts, int pairs, int rightPairs) {

  private record Host(String rack, int inferred) {}

  /**
   * @param report what the tracker's servlet says
   */
  static InferredTopology of(JsonNode report) {
    List<Host> hosts = new ArrayList<>();
    Set<Integer> racks = new HashSet<>();
    for (JsonNode peer : report.path("peers")) {
      JsonNode rack = report.path("inferredRacks").path(peer.path("datanode").asText());
      if (rack.isInt()) {
        hosts.add(new Host(peer.path("rack").asText(), rack.asInt()));
        racks.add(rack.asInt());
      }
    }
    int pairs = 0;
    int right = 0;
    for (int i = 0; i < hosts.size(); i++) {
      for (Host other : hosts.subList(0, i)) {
        boolean together = hosts.get(i).rack().equals(other.rack());
        pairs++;
        right += together == (hosts.get(i).inferred() == other.inferred()) ? 1 : 0;
      }
    }
    return new InferredTopology(racks.size(), hosts.size(), pairs, right);
  }

  @Override
  public String toString() {
    return "%d racks were inferred for %d hosts; of %d pairs of hosts %d are rightly together or apart."
        .formatted(racks, hosts, pairs, rightPairs);
  }
}
