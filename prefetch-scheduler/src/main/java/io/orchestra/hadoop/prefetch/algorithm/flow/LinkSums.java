package io.orchestra.hadoop.prefetch.algorithm.flow;

import io.orchestra.hadoop.core.topology.Direction;
import io.orchestra.hadoop.core.topology.Link;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A number for each link, whatever its capacity is at the time. Not safe for concurrent use. */
final class LinkSums {
  private record LinkEnd(String node, Direction direction) {
    private static LinkEnd of(Link link) {
      return new LinkEnd(link.node(), link.direction());
    }
  }

  private final Map<LinkEnd, Long> sums = new HashMap<>();

  void add(List<Link> path, long more) {
    if (more != 0) {
      path.forEach(link -> sums.merge(LinkEnd.of(link), more, LinkSums::sum));
    }
  }

  /** Null for nothing, which a map need not hold. */
  private static Long sum(long before, long more) {
    return before + more == 0 ? null : before + more;
  }

  long of(Link link) {
    return sums.getOrDefault(LinkEnd.of(link), 0L);
  }
}
