package io.orchestra.hadoop.integration.prefetch;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a device shaped by a traffic helper does with flows, as {@code tc} shows it.
 *
 * @param flows that it knows now
 * @param bytes that all flows have had so far
 */
record DeviceFlows(List<Flow> flows, long bytes) {
  private static final Pattern FILTER =
      Pattern.compile(
          "(?s)flowid (f1ec:\\w+).*?match (\\w{8})/ffffffff at 16\\s+match (\\w{8})/0000ffff");
  private static final Pattern CLASS =
      Pattern.compile("class htb (f1ec:\\w+) .*?rate (\\d+)([KMG]?)bit .*\\n Sent (\\d+) bytes");
  private static final Map<String, Long> UNITS =
      Map.of("", 1L, "K", 1_000L, "M", 1_000_000L, "G", 1_000_000_000L);
  private static final List<String> NO_FLOWS = List.of("f1ec:1", "f1ec:2");

  /**
   * A filter, and the minimum rate of its class.
   *
   * @param address to which packets of the flow go
   * @param bitsPerSecond to four digits or more
   */
  record Flow(String address, int port, double bitsPerSecond) {}

  /**
   * @param filters of {@code tc filter show dev DEVICE}
   * @param classes of {@code tc -s class show dev DEVICE}
   */
  static DeviceFlows parse(String filters, String classes) {
    Map<String, Double> rates = new HashMap<>();
    long bytes = 0;
    Matcher found = CLASS.matcher(classes);
    while (found.find()) {
      rates.put(
          found.group(1), (double) Long.parseLong(found.group(2)) * UNITS.get(found.group(3)));
      if (!NO_FLOWS.contains(found.group(1))) {
        bytes += Long.parseLong(found.group(4));
      }
    }
    return new DeviceFlows(
        FILTER.matcher(filters).results().map(filter -> flow(filter, rates)).toList(), bytes);
  }

  private static Flow flow(MatchResult filter, Map<String, Double> rates) {
    return new Flow(
        address(Long.parseLong(filter.group(2), 16)),
        Integer.parseInt(filter.group(3), 16),
        rates.getOrDefault(filter.group(1), 0.0));
  }

  private static String address(long number) {
    return "%d.%d.%d.%d"
        .formatted(number >> 24, number >> 16 & 0xff, number >> 8 & 0xff, number & 0xff);
  }

  /** Of flows to an address, in bits per second. */
  List<Double> rates(String address) {
    return flows.stream()
        .filter(flow -> flow.address().equals(address))
        .map(Flow::bitsPerSecond)
        .toList();
  }
}
