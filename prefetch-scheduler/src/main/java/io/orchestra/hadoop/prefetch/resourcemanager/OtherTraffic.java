package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.core.topology.Direction;
import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.prefetch.resourcemanager.Daemons.Load;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * What passes links that is not a prefetch: what daemons measure on those of their hosts, without
 * what prefetches have carried in the same time. Nobody measures the links of switches: what passes
 * them is estimated by the gravity model (Zhang et al., "Fast Accurate Computation of Large-Scale
 * IP Traffic Matrices from Link Loads", SIGMETRICS 2003): each host sends to all others as they
 * receive. That is too much where hosts prefer their own rack, as HDFS's clients do. Bytes per
 * second. Not safe for concurrent use.
 */
final class OtherTraffic {
  /** What a first report is taken to be about. */
  private static final long USUAL_TIME = Duration.ofMillis(500).toNanos();

  /** In less time a burst looks like a full link. */
  private static final long LEAST_TIME = Duration.ofMillis(200).toNanos();

  /**
   * Daemons tell every second or more often while that is of interest, and every three if there is
   * no change, or nobody is interested: one that does not measure any more knows nothing of its
   * link.
   */
  private static final long KEPT = Duration.ofSeconds(5).toNanos();

  /** From when a daemon measures a change until it is heard of. */
  private static final long ON_ITS_WAY = Duration.ofMillis(200).toNanos();

  /** What prefetches have carried over a link between two moments, bytes per second. */
  @FunctionalInterface
  interface Carried {
    /**
     * @param node at the lower end of the link
     */
    long over(String node, Direction direction, long since, long until);
  }

  /** Of a link that is as good as full. */
  private static final double FULL = 0.95;

  /** Of a link whose other traffic would take more if it could. */
  private static final double NOTICEABLE = 0.1;

  /**
   * What has passed a link in one direction.
   *
   * @param all bytes per second
   * @param prefetched bytes per second of prefetches, as far as is known: it may seem more than all
   */
  private record Passed(long all, long prefetched) {
    private long others() {
      return Math.max(0, all - prefetched);
    }

    /** On a full link others would take more: half of what prefetches have is given up. */
    private long wanted(long capacity) {
      boolean isFull = prefetched + others() >= capacity * FULL;
      return isFull && others() > capacity * NOTICEABLE ? capacity - prefetched / 2 : others();
    }
  }

  private record Report(String host, String rack, long at, Passed sent, Passed received) {
    private Passed towards(Direction direction) {
      return direction == Direction.UP ? sent : received;
    }

    private boolean isBelow(String location) {
      int length = location.length();
      return rack.startsWith(location) && (rack.length() == length || rack.charAt(length) == '/');
    }
  }

  /** One of a switch. */
  private record SwitchLink(String node, Direction direction) {}

  /**
   * What has passed links of switches, as it was estimated last.
   *
   * @param hosts of which anything was known then
   */
  private record Estimates(long at, List<Report> hosts, Map<SwitchLink, Passed> links) {}

  private final Carried carried;
  private final LongSupplier pause;
  private final Map<String, Report> reports = new HashMap<>();

  /** Null before the first. */
  private Estimates estimates;

  /**
   * @param pause nanoseconds in which each daemon measures once
   */
  OtherTraffic(Carried carried, LongSupplier pause) {
    this.carried = carried;
    this.pause = pause;
  }

  /**
   * @param rack of the host
   * @param load since the report before, if it does not say since when
   * @param now nanoseconds
   */
  void told(String host, String rack, Load load, long now) {
    long before = report(host, now).map(Report::at).orElse(now - USUAL_TIME);
    long since = load.nanos().isPresent() ? now - load.nanos().getAsLong() : before;
    if (now - since >= LEAST_TIME) {
      reports.put(
          host,
          new Report(
              host,
              rack,
              now,
              passed(load.sent(), host, Direction.UP, since, now),
              passed(load.received(), host, Direction.DOWN, since, now)));
    }
  }

  private Passed passed(long all, String host, Direction direction, long since, long until) {
    return new Passed(all, Wire.bytes(carried.over(host, direction, since, until)));
  }

  void forget(String host) {
    reports.remove(host);
  }

  private Optional<Report> report(String host, long now) {
    return Optional.ofNullable(reports.get(host)).filter(report -> isKnown(report, now));
  }

  private static boolean isKnown(Report report, long now) {
    return now - report.at() <= KEPT;
  }

  /**
   * What it has or would have without prefetches; nothing is known of a host whose daemon is
   * silent.
   *
   * @param now nanoseconds
   */
  long on(Link link, long now) {
    if (isOfSwitch(link)) {
      return estimate(new SwitchLink(link.node(), link.direction()), now).wanted(link.capacity());
    }
    long until = heardOfUntil(now);
    return report(link.node(), now)
        .map(report -> upToDate(report, until).towards(link.direction()).wanted(link.capacity()))
        .orElse(0L);
  }

  /** What daemons have measured since may be on its way. */
  private long heardOfUntil(long now) {
    return now - pause.getAsLong() - ON_ITS_WAY;
  }

  /**
   * Where all is as much as it was its parts need not be, on a full link least of all.
   *
   * @param until nanoseconds when that was so: since then a prefetch may have come on top of it
   */
  private Report upToDate(Report report, long until) {
    return until - report.at() <= 0
        ? report
        : new Report(
            report.host(),
            report.rack(),
            report.at(),
            upToDate(report, Direction.UP, until),
            upToDate(report, Direction.DOWN, until));
  }

  private Passed upToDate(Report report, Direction direction, long until) {
    long all = report.towards(direction).all();
    return passed(all, report.host(), direction, until - USUAL_TIME, until);
  }

  private static boolean isOfSwitch(Link link) {
    return link.node().startsWith("/");
  }

  /** All hosts are looked at for it, and what prefetches have carried over the link of each. */
  private Passed estimate(SwitchLink link, long now) {
    if (estimates == null || now - estimates.at() >= LEAST_TIME) {
      estimates = new Estimates(now, upToDate(now), new HashMap<>());
    }
    List<Report> hosts = estimates.hosts();
    return estimates.links().computeIfAbsent(link, unused -> byGravity(link, hosts, now));
  }

  private List<Report> upToDate(long now) {
    long until = heardOfUntil(now);
    return reports.values().stream()
        .filter(report -> isKnown(report, now))
        .map(report -> upToDate(report, until))
        .toList();
  }

  private Passed byGravity(SwitchLink link, List<Report> hosts, long now) {
    Direction here = link.direction();
    Direction there = here == Direction.UP ? Direction.DOWN : Direction.UP;
    long all = others(hosts.stream(), there);
    long beyond = others(hosts.stream().filter(host -> !host.isBelow(link.node())), there);
    double passing = 0;
    for (Report host : hosts) {
      // Nobody sends to himself.
      long possible = all - host.towards(there).others();
      if (host.isBelow(link.node()) && possible > 0) {
        passing += (double) host.towards(here).others() * beyond / possible;
      }
    }
    long others = Math.min(beyond, (long) passing);
    long prefetched = Wire.bytes(carried.over(link.node(), here, now - USUAL_TIME, now));
    return new Passed(prefetched + others, prefetched);
  }

  private static long others(Stream<Report> reports, Direction direction) {
    return reports.mapToLong(report -> report.towards(direction).others()).sum();
  }
}
