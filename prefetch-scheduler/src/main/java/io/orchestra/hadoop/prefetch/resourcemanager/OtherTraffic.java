package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.core.topology.Direction;
import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.prefetch.resourcemanager.Daemons.Load;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What passes hosts' links that is not a prefetch: what daemons measure, without what prefetches
 * have carried in the same time. Bytes per second. Not safe for concurrent use.
 */
final class OtherTraffic {
  /** What a first report is taken to be about. */
  private static final long USUAL_TIME = Duration.ofMillis(500).toNanos();

  /** In less time a burst looks like a full link. */
  private static final long LEAST_TIME = Duration.ofMillis(200).toNanos();

  /**
   * Daemons tell every second or more often while that is of interest, and else every three: one
   * that does not measure any more knows nothing of its link.
   */
  private static final long KEPT = Duration.ofSeconds(5).toNanos();

  /** What prefetches have carried over a host's link between two moments, bytes per second. */
  @FunctionalInterface
  interface Carried {
    long over(String host, Direction direction, long since, long until);
  }

  /** Of a link that is as good as full. */
  private static final double FULL = 0.95;

  /** Of a link whose other traffic would take more if it could. */
  private static final double NOTICEABLE = 0.1;

  /**
   * What has passed a link in one direction.
   *
   * @param prefetched bytes per second of prefetches
   * @param others bytes per second of all else
   */
  private record Passed(long prefetched, long others) {
    /** On a full link others would take more: half of what prefetches have is given up. */
    private long wanted(long capacity) {
      boolean isFull = prefetched + others >= capacity * FULL;
      return isFull && others > capacity * NOTICEABLE ? capacity - prefetched / 2 : others;
    }
  }

  private record Report(long at, Passed sent, Passed received) {}

  private final Carried carried;
  private final Map<String, Report> reports = new HashMap<>();

  OtherTraffic(Carried carried) {
    this.carried = carried;
  }

  /**
   * @param load since the report before
   * @param now nanoseconds
   */
  void told(String host, Load load, long now) {
    long since = report(host, now).map(Report::at).orElse(now - USUAL_TIME);
    if (now - since >= LEAST_TIME) {
      reports.put(
          host,
          new Report(
              now,
              passed(load.sent(), carried.over(host, Direction.UP, since, now)),
              passed(load.received(), carried.over(host, Direction.DOWN, since, now))));
    }
  }

  private static Passed passed(long all, long carried) {
    long prefetched = Wire.bytes(carried);
    return new Passed(prefetched, Math.max(0, all - prefetched));
  }

  void forget(String host) {
    reports.remove(host);
  }

  private Optional<Report> report(String host, long now) {
    return Optional.ofNullable(reports.get(host)).filter(report -> now - report.at() <= KEPT);
  }

  /**
   * What it has or would have without prefetches; nothing is known of links nobody measures.
   *
   * @param now nanoseconds
   */
  long on(Link link, long now) {
    return report(link.node(), now)
        .map(report -> link.direction() == Direction.UP ? report.sent() : report.received())
        .map(passed -> passed.wanted(link.capacity()))
        .orElse(0L);
  }
}
