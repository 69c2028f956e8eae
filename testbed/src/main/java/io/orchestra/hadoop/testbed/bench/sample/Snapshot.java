package io.orchestra.hadoop.testbed.bench.sample;

import java.util.Map;

/**
 * The state of all counters at one time.
 *
 * @param nanoTime when, as {@link System#nanoTime} counts
 * @param linkBytes what each link has carried; empty if no links are sampled
 */
record Snapshot(long nanoTime, CpuTimes cpu, Map<String, Long> linkBytes) {

  double secondsSince(Snapshot earlier) {
    return (nanoTime - earlier.nanoTime) / 1e9;
  }

  double bytesSince(Snapshot earlier, String link) {
    return linkBytes.get(link) - earlier.linkBytes.get(link);
  }
}
