package io.orchestra.hadoop.testbed.bench.placement;

import com.google.common.collect.Range;
import io.orchestra.hadoop.testbed.bench.Draw;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Which hosts' links are busy when: in each period another set. The schedule begins somewhere
 * inside its first period, so that links change at any time of a trial, also of a short one. Sets
 * and beginning are drawn from a seed.
 *
 * @param seed the same seed gives the same schedule
 * @param phase how much of the first period is past when the schedule begins, in [0, 1)
 * @param hosts to draw from
 * @param busy how many are busy at a time
 * @param period after which the set changes
 */
record BackgroundSchedule(long seed, double phase, List<String> hosts, int busy, Duration period) {

  BackgroundSchedule {
    hosts = List.copyOf(hosts);
  }

  /** Those that are busy in the n-th period, from 0. */
  List<String> inPeriod(int number) {
    List<String> shuffled = new ArrayList<>(hosts);
    Random random = new Draw(seed, "busy hosts").random();
    for (int i = 0; i <= number; i++) {
      Collections.shuffle(shuffled, random);
    }
    return List.copyOf(shuffled.subList(0, busy));
  }

  /** When the n-th period ends, counted from the schedule's begin; above 0. */
  Duration endOf(int number) {
    long past = (long) (phase * period.toMillis());
    return period.multipliedBy(number + 1L).minusMillis(past);
  }

  /**
   * When a host is busy, in milliseconds from the schedule's begin.
   *
   * @param horizon until when at least
   */
  List<Range<Long>> spans(String host, Duration horizon) {
    List<Range<Long>> spans = new ArrayList<>();
    long begin = 0;
    for (int number = 0; begin < horizon.toMillis(); number++) {
      long end = endOf(number).toMillis();
      if (inPeriod(number).contains(host)) {
        spans.add(Range.closedOpen(begin, end));
      }
      begin = end;
    }
    return spans;
  }
}
