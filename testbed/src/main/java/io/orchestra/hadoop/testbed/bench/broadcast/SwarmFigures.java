package io.orchestra.hadoop.testbed.bench.broadcast;

import io.orchestra.hadoop.testbed.bench.Measurement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the peers and block caches of DataNodes have counted.
 *
 * @param hosts figures by {@code SOURCE.NAME}, by the name of the host
 */
record SwarmFigures(Map<String, Map<String, Long>> hosts) {
  private static final String PEER = "OrchestraSwarmPeer";
  private static final String CACHE = "OrchestraBlockCache";

  /** The metrics sources that are asked. */
  static final List<String> SOURCES = List.of(PEER, CACHE);

  /** Of a file that goes through the plugin. */
  private static final int REPLICAS = 3;

  private static final String RECEIVED = PEER + ".BytesReceived";
  private static final String READ = PEER + ".BytesReadFromHdfs";
  private static final String SENT = PEER + ".BytesSent";
  private static final String GIVEN_UP = PEER + ".SwarmsFailed";
  private static final String CORRUPT = PEER + ".PiecesCorrupt";
  private static final String GIVEN_WAY = PEER + ".MillisGivenWay";
  private static final String SERVED = CACHE + ".BytesServed";
  private static final String BROKEN_OFF = CACHE + ".Failures";

  /** What was counted since then, or since the start of a daemon that has started since. */
  SwarmFigures since(SwarmFigures before) {
    Map<String, Map<String, Long>> difference = new LinkedHashMap<>();
    hosts.forEach(
        (host, figures) -> {
          Map<String, Long> earlier = before.hosts.getOrDefault(host, Map.of());
          Map<String, Long> own = new TreeMap<>();
          figures.forEach(
              (name, value) -> {
                long start = earlier.getOrDefault(name, 0L);
                own.put(name, value < start ? value : value - start);
              });
          difference.put(host, own);
        });
    return new SwarmFigures(difference);
  }

  /** A figure of some hosts together. */
  long sum(String figure, List<String> names) {
    return names.stream()
        .mapToLong(host -> hosts.getOrDefault(host, Map.of()).getOrDefault(figure, 0L))
        .sum();
  }

  private long sum(String figure) {
    return sum(figure, List.copyOf(hosts.keySet()));
  }

  /** Adds the check that the plugin moved nothing. */
  void addIdle(Measurement.Builder measurement) {
    long moved = sum(RECEIVED) + sum(SENT) + sum(SERVED);
    measurement.check("the plugin moved nothing", moved == 0, moved + " bytes");
  }

  /**
   * Adds what was moved, and the check that a part of it went through the plugin. Hosts that hold a
   * replica and small files are read from HDFS.
   */
  void addLocalizing(Measurement.Builder measurement) {
    List<String> all = List.copyOf(hosts.keySet());
    count(measurement, all);
    measurement.check(
        "the plugin served localizers", sum(SERVED, all) > 0, sum(SERVED, all) + " bytes");
  }

  /**
   * Adds what was moved, and the checks that all of it went through the plugin.
   *
   * @param wanted bytes of the file
   */
  void addActing(Measurement.Builder measurement, List<String> receivers, long wanted) {
    long served = sum(SERVED, receivers);
    long fromReceivers = sum(SENT, receivers);
    long givenUp = givenUp();
    count(measurement, receivers);
    measurement.check(
        "all bytes came through the block cache",
        served == wanted * receivers.size(),
        "%d of %d bytes".formatted(served, wanted * receivers.size()));
    measurement.check("nobody went back to HDFS", givenUp == 0, givenUp + " times");
    // Two or three may each have a replica to themselves.
    if (receivers.size() > REPLICAS) {
      measurement.check(
          "receivers sent pieces to each other", fromReceivers > 0, fromReceivers + " bytes");
    }
  }

  /** Adds the check that files gave way to others, or that none did. */
  void addTurns(Measurement.Builder measurement, boolean wanted) {
    long millis = sum(GIVEN_WAY);
    measurement.check(
        wanted ? "files gave way to others" : "no file gave way to others",
        wanted == millis > 0,
        "for %d ms, of all files".formatted(millis));
  }

  private long givenUp() {
    return sum(GIVEN_UP) + sum(BROKEN_OFF);
  }

  private void count(Measurement.Builder measurement, List<String> receivers) {
    long fromReceivers = sum(SENT, receivers);
    measurement.counter("bytes given to readers", sum(SERVED, receivers));
    measurement.counter("bytes received by peers", sum(RECEIVED));
    measurement.counter("bytes read from replicas since that is faster", sum(READ));
    measurement.counter("bytes sent by receivers", fromReceivers);
    measurement.counter("bytes sent by others", sum(SENT) - fromReceivers);
    measurement.counter("pieces with wrong bytes", sum(CORRUPT));
    measurement.counter("receivers that went back to HDFS", givenUp());
  }
}
