package io.orchestra.hadoop.prefetch.algorithm.flow;

import com.google.common.annotations.VisibleForTesting;
import io.orchestra.hadoop.core.topology.Direction;
import io.orchestra.hadoop.core.topology.Link;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What prefetches have carried over each link of late: what is left of a link's load is other
 * traffic. A flow carries what its daemon was told until it is known what has come. Not safe for
 * concurrent use.
 */
final class LinkTraffic {
  /** Longer than the time between two reports of a link's load. */
  private static final long KEPT = Duration.ofSeconds(5).toNanos();

  private static final long GOES_ON = Long.MAX_VALUE;

  /** A link whatever its capacity is at the time. */
  private record LinkEnd(String node, Direction direction) {}

  /** A flow at one rate. */
  private static final class Stretch {
    private final long from;
    private long to = GOES_ON;
    private long rate;

    private Stretch(long from, long rate) {
      this.from = from;
      this.rate = rate;
    }

    /** Bytes between two moments. */
    private double bytes(long since, long until) {
      long end = to == GOES_ON ? until : Math.min(to, until);
      return (double) Math.max(0, end - Math.max(from, since)) * rate;
    }
  }

  private final Map<LinkEnd, List<Stretch>> links = new HashMap<>();
  private final Map<Long, Stretch> current = new HashMap<>();

  /**
   * A flow goes on at another rate.
   *
   * @param rate bytes per second; 0 if it ends
   * @param now nanoseconds
   */
  void changed(PrefetchFlow flow, List<Link> path, long rate, long now) {
    Stretch before = current.remove(flow.id());
    if (before != null) {
      before.to = now;
    }
    if (rate > 0) {
      Stretch stretch = new Stretch(now, rate);
      current.put(flow.id(), stretch);
      for (Link link : path) {
        LinkEnd end = new LinkEnd(link.node(), link.direction());
        links.computeIfAbsent(end, unused -> new ArrayList<>()).add(stretch);
      }
    }
  }

  /** A flow has had another rate than it might have since that was changed. */
  void measured(PrefetchFlow flow, long rate) {
    Stretch stretch = current.get(flow.id());
    if (stretch != null) {
      stretch.rate = rate;
    }
  }

  /**
   * @param since nanoseconds
   * @param until nanoseconds, later than that
   * @return bytes per second of all prefetches
   */
  long carried(String node, Direction direction, long since, long until) {
    if (until - since <= 0) {
      return 0;
    }
    double bytes =
        links.getOrDefault(new LinkEnd(node, direction), List.of()).stream()
            .mapToDouble(stretch -> stretch.bytes(since, until))
            .sum();
    return (long) (bytes / (until - since));
  }

  /** Nobody asks any more what was before; hosts may be gone for good. */
  void forgetOld(long now) {
    for (List<Stretch> stretches : links.values()) {
      stretches.removeIf(stretch -> stretch.to != GOES_ON && now - stretch.to > KEPT);
    }
    links.values().removeIf(List::isEmpty);
  }

  /** Of how many links anything is known. */
  @VisibleForTesting
  int links() {
    return links.size();
  }
}
