package io.orchestra.hadoop.testbed.bench.placement;

import io.orchestra.hadoop.testbed.bench.LinkBytes;
import io.orchestra.hadoop.testbed.network.LinkCounters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The bytes that came down to each worker, and those of two links that do not exist: the mean of
 * the downlinks that are busy with other traffic at the time, and the mean of the others. The first
 * shows that there was something to avoid, although it moves; the second, what the writers made of
 * the rest.
 *
 * <p>When the busy hosts change between two readings, half of the bytes between them count by the
 * old set and half by the new one.
 */
final class DownlinkBytes implements LinkBytes {
  static final String BUSY = "the busy downlinks";
  static final String OTHERS = "the other downlinks";

  private final Supplier<Map<String, LinkCounters.LinkBytes>> counters;
  private final List<String> hosts;
  private final Supplier<List<String>> busy;
  private Map<String, Long> last = Map.of();
  private Set<String> lastBusy = Set.of();
  private double busyBytes;
  private double otherBytes;

  /**
   * @param counters reads the bytes of all links
   * @param busy the hosts whose links carry background traffic now
   */
  DownlinkBytes(
      Supplier<Map<String, LinkCounters.LinkBytes>> counters,
      List<String> hosts,
      Supplier<List<String>> busy) {
    this.counters = counters;
    this.hosts = List.copyOf(hosts);
    this.busy = busy;
  }

  static String name(String host) {
    return host + " down";
  }

  @Override
  public synchronized Map<String, Long> read() {
    Set<String> nowBusy = Set.copyOf(busy.get());
    Map<String, LinkCounters.LinkBytes> bytes = counters.get();
    Map<String, Long> now = new LinkedHashMap<>();
    hosts.forEach(host -> now.put(name(host), bytes.get(host).down()));
    if (!last.isEmpty()) {
      add(now, lastBusy);
      add(now, nowBusy);
    }
    last = Map.copyOf(now);
    lastBusy = nowBusy;
    now.put(BUSY, (long) busyBytes);
    now.put(OTHERS, (long) otherBytes);
    return now;
  }

  /** Adds half of what has come since the last reading. */
  private void add(Map<String, Long> now, Set<String> loaded) {
    for (String host : hosts) {
      double half = (now.get(name(host)) - last.get(name(host))) / 2.0;
      if (loaded.contains(host)) {
        busyBytes += half / loaded.size();
      } else {
        otherBytes += half / (hosts.size() - loaded.size());
      }
    }
  }
}
