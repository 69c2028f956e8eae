package io.orchestra.hadoop.testbed.bench.broadcast;

import io.orchestra.hadoop.testbed.bench.LinkBytes;
import io.orchestra.hadoop.testbed.bench.Links;
import io.orchestra.hadoop.testbed.bench.cluster.DirectedLinks;
import io.orchestra.hadoop.testbed.network.LinkCounters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The bytes of all links of hosts and racks in each direction, and those of two links that do not
 * exist: the mean of the receivers' downlinks, which nobody can fill more than once with the file,
 * and the mean of the uplinks of those who have it before.
 */
final class CastLinks implements LinkBytes {
  static final String RECEIVERS = "the receivers' downlinks";
  static final String HOLDERS = "the replicas' uplinks";

  private final Supplier<Map<String, LinkCounters.LinkBytes>> counters;
  private final Supplier<Cast> cast;

  /**
   * @param counters reads the bytes of all links
   * @param cast of the trial under way; it does not change during a trial
   */
  CastLinks(Supplier<Map<String, LinkCounters.LinkBytes>> counters, Supplier<Cast> cast) {
    this.counters = counters;
    this.cast = cast;
  }

  /**
   * With the capacities of an experiment.
   *
   * @param hosts names of the hosts' links
   * @param racks names of the racks' uplinks
   */
  Links of(Cell cell, List<String> hosts, List<String> racks) {
    return links(cell, hosts, racks, RECEIVERS, HOLDERS);
  }

  /** The same for an experiment where nobody has the file before. */
  Links withoutHolders(Cell cell, List<String> hosts, List<String> racks) {
    return links(cell, hosts, racks, RECEIVERS);
  }

  private Links links(Cell cell, List<String> hosts, List<String> racks, String... derived) {
    Map<String, Double> capacities =
        new LinkedHashMap<>(DirectedLinks.capacities(hosts, cell.hostRate()));
    capacities.putAll(DirectedLinks.capacities(racks, cell.uplinkRate()));
    for (String link : derived) {
      capacities.put(link, cell.hostRate().bytesPerSecond());
    }
    return Links.of(this, capacities).withDerived(derived);
  }

  @Override
  public Map<String, Long> read() {
    Map<String, LinkCounters.LinkBytes> links = counters.get();
    Map<String, Long> bytes = DirectedLinks.bytes(links);
    bytes.put(RECEIVERS, mean(links, cast.get().receivers(), LinkCounters.LinkBytes::down));
    bytes.put(HOLDERS, mean(links, cast.get().holders(), LinkCounters.LinkBytes::up));
    return bytes;
  }

  private static long mean(
      Map<String, LinkCounters.LinkBytes> links,
      List<String> hosts,
      ToLongFunction<LinkCounters.LinkBytes> direction) {
    return (long) hosts.stream().map(links::get).mapToLong(direction).average().orElse(0);
  }
}
