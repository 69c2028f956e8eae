package io.orchestra.hadoop.testbed.bench.placement;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.bench.Measurement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of the reports that were made in the DataNodes' names, by host. A DataNode is
 * believed again when no such report arrives for a while, and then the oracle is none.
 */
record OracleReports(Map<String, Count> hosts) {
  /** Reports a second that must be taken in for the oracle to be in force; one is sent. */
  private static final double LEAST_ACCEPTED = 0.8;

  /**
   * @param rejected by the collector
   * @param failed on the way to it
   */
  record Count(long accepted, long rejected, long failed) {

    /** Reads the three numbers. */
    static Count parse(String words) {
      List<Long> counts = Splitter.on(' ').splitToStream(words).map(Long::valueOf).toList();
      return new Count(counts.get(0), counts.get(1), counts.get(2));
    }

    Count since(Count before) {
      return new Count(
          accepted - before.accepted, rejected - before.rejected, failed - before.failed);
    }
  }

  OracleReports since(OracleReports before) {
    Map<String, Count> difference = new LinkedHashMap<>();
    hosts.forEach((host, count) -> difference.put(host, count.since(before.hosts.get(host))));
    return new OracleReports(difference);
  }

  /** Adds the check whether all hosts were heard during so many seconds. */
  void addTo(Measurement.Builder measurement, double seconds) {
    long least = hosts.values().stream().mapToLong(Count::accepted).min().orElse(0);
    long rejected = hosts.values().stream().mapToLong(Count::rejected).sum();
    long failed = hosts.values().stream().mapToLong(Count::failed).sum();
    measurement.check(
        "the oracle was heard",
        least >= Math.floor(LEAST_ACCEPTED * seconds) && rejected == 0,
        "at least %d reports of each host in %.0f s, %d rejected, %d failed"
            .formatted(least, seconds, rejected, failed));
  }
}
