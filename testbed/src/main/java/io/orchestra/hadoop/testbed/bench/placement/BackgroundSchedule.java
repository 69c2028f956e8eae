package io.orchestra.hadoop.testbed.bench.placement;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Which hosts' links are busy when: in each period another set, drawn from a seed.
 *
 * @param seed the same seed gives the same schedule
 * @param hosts to draw from
 * @param busy how many are busy at a time
 * @param period after which the set changes
 */
record BackgroundSchedule(long seed, List<String> hosts, int busy, Duration period) {

  BackgroundSchedule {
    hosts = List.copyOf(hosts);
  }

  /** Those that are busy in the n-th period, from 0. */
  List<String> inPeriod(int number) {
    List<String> shuffled = new ArrayList<>(hosts);
    Random random = new Random(seed);
    for (int i = 0; i <= number; i++) {
      Collections.shuffle(shuffled, random);
    }
    return List.copyOf(shuffled.subList(0, busy));
  }

  /** Those that are never busy in the first period. */
  List<String> quietAtFirst() {
    List<String> quiet = new ArrayList<>(hosts);
    quiet.removeAll(inPeriod(0));
    return quiet;
  }
}
