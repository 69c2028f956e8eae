package io.orchestra.hadoop.testbed.bench.placement;

import io.orchestra.hadoop.testbed.bench.LinkBytes;
import io.orchestra.hadoop.testbed.network.LinkCounters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The bytes that came down to each worker, and those of a link that does not exist: the mean of the
 * downlinks that are busy at the time. The latter shows whether there was a bottleneck although it
 * moves.
 */
final class DownlinkBytes implements LinkBytes {
  static final String BOTTLENECK = "the busy downlinks";

  private final LinkCounters counters;
  private final List<String> hosts;
  private final Supplier<List<String>> busy;
  private Map<String, Long> last = Map.of();
  private double bottleneck;

  /**
   * @param busy the hosts whose links carry background traffic now
   */
  DownlinkBytes(LinkCounters counters, List<String> hosts, Supplier<List<String>> busy) {
    this.counters = counters;
    this.hosts = List.copyOf(hosts);
    this.busy = busy;
  }

  static String name(String host) {
    return host + " down";
  }

  @Override
  public synchronized Map<String, Long> read() {
    Map<String, LinkCounters.LinkBytes> bytes = counters.read();
    Map<String, Long> now = new LinkedHashMap<>();
    hosts.forEach(host -> now.put(name(host), bytes.get(host).down()));
    for (String host : busy.get()) {
      bottleneck +=
          (double) (now.get(name(host)) - last.getOrDefault(name(host), now.get(name(host))))
              / busy.get().size();
    }
    last = Map.copyOf(now);
    now.put(BOTTLENECK, (long) bottleneck);
    return now;
  }
}
