package io.orchestra.hadoop.testbed.bench.cluster;

import io.orchestra.hadoop.testbed.network.LinkCounters;
import io.orchestra.hadoop.testbed.network.Rate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Links of hosts and racks, each direction by itself: {@code r1h1 up} and {@code r1h1 down}. */
public final class DirectedLinks {
  private DirectedLinks() {}

  /** Bytes since the links were built. */
  public static Map<String, Long> bytes(Map<String, LinkCounters.LinkBytes> links) {
    Map<String, Long> bytes = new LinkedHashMap<>();
    links.forEach(
        (link, both) -> {
          bytes.put(down(link), both.down());
          bytes.put(up(link), both.up());
        });
    return bytes;
  }

  /**
   * Bytes per second.
   *
   * @param links that have this rate
   */
  public static Map<String, Double> capacities(List<String> links, Rate rate) {
    double capacity = rate.bytesPerSecond();
    Map<String, Double> capacities = new LinkedHashMap<>();
    for (String link : links) {
      capacities.put(down(link), capacity);
      capacities.put(up(link), capacity);
    }
    return capacities;
  }

  private static String down(String link) {
    return link + " down";
  }

  private static String up(String link) {
    return link + " up";
  }
}
