package io.orchestra.hadoop.testbed.bench.placement;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Range;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class BackgroundScheduleTest {
  private static final List<String> HOSTS =
      IntStream.range(0, 12).mapToObj(number -> "h" + number).toList();
  private static final Duration PERIOD = Duration.ofSeconds(10);

  @Test
  void seedDecidesEverything() {
    assertThat(schedule(7).inPeriod(3)).isEqualTo(schedule(7).inPeriod(3)).hasSize(4);
    assertThat(schedule(7).endOf(0)).isEqualTo(schedule(7).endOf(0));
    assertThat(schedule(7).inPeriod(0)).isNotEqualTo(schedule(8).inPeriod(0));
  }

  @Test
  void busyHostsAreDifferentOnesOfAllHosts() {
    for (int number = 0; number < 20; number++) {
      assertThat(schedule(1).inPeriod(number)).doesNotHaveDuplicates().isSubsetOf(HOSTS);
    }
    assertThat(schedule(1).inPeriod(0)).isNotEqualTo(schedule(1).inPeriod(1));
  }

  @Test
  void scheduleBeginsWhereItsPhaseIs() {
    BackgroundSchedule early = new BackgroundSchedule(1, 0, HOSTS, 4, PERIOD);
    BackgroundSchedule late = new BackgroundSchedule(1, 0.9, HOSTS, 4, PERIOD);
    assertThat(early.endOf(0)).isEqualTo(PERIOD);
    assertThat(late.endOf(0)).isEqualTo(PERIOD.dividedBy(10));
  }

  @Test
  void laterPeriodsAreWhole() {
    for (int number = 0; number < 5; number++) {
      assertThat(schedule(3).endOf(number + 1)).isEqualTo(schedule(3).endOf(number).plus(PERIOD));
    }
  }

  @Test
  void spansAreThePeriodsInWhichTheHostIsBusy() {
    BackgroundSchedule schedule = schedule(5);
    for (String host : HOSTS) {
      List<Range<Long>> spans = schedule.spans(host, Duration.ofSeconds(60));
      int period = 0;
      for (long time = 0; time < 60_000; time += 5) {
        long now = time;
        if (now >= millis(schedule, period)) {
          period++;
        }
        assertThat(spans.stream().anyMatch(span -> span.contains(now)))
            .as("%s at %d", host, now)
            .isEqualTo(schedule.inPeriod(period).contains(host));
      }
    }
  }

  private static long millis(BackgroundSchedule schedule, int period) {
    return schedule.endOf(period).toMillis();
  }

  private static BackgroundSchedule schedule(long seed) {
    return new BackgroundSchedule(seed, 0.4, HOSTS, 4, PERIOD);
  }
}
