package io.orchestra.hadoop.core.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orchestra.hadoop.core.meter.LinkLoads.Sample;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LinkLoadsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private boolean fromZero;
  private final LinkLoads loads =
      new LinkLoads(() -> new Smoothing(0.2, fromZero), () -> Duration.ofSeconds(3), now::get);

  @Test
  void aHostThatNeverReportedHasNoLoad() {
    assertThat(loads.load("h1")).isEmpty();
  }

  @Test
  void theFirstSampleIsTakenAsItIs() {
    assertThat(loads.record("h1", new Sample(1, 100, 50, SECOND))).isTrue();

    assertThat(loads.load("h1").orElseThrow().received()).isEqualTo(100);
    assertThat(loads.load("h1").orElseThrow().foreign()).isEqualTo(50);
  }

  @Test
  void laterSamplesAreAveragedWithTheirWeight() {
    recordOneSecondLater(1, 100);
    recordOneSecondLater(2, 200);
    recordOneSecondLater(3, 0);

    assertThat(loads.load("h1").orElseThrow().received()).isCloseTo(96, within(1e-9));
  }

  @Test
  void thePapersAverageStartsAtZero() {
    fromZero = true;
    recordOneSecondLater(1, 100);

    assertThat(loads.load("h1").orElseThrow().received()).isCloseTo(20, within(1e-9));
  }

  @Test
  void aSilentHostHasNoLoadAndStartsAfresh() {
    recordOneSecondLater(7, 100);
    now.addAndGet(Duration.ofSeconds(3).toNanos());
    assertThat(loads.load("h1")).isPresent();
    now.incrementAndGet();
    assertThat(loads.load("h1")).isEmpty();

    assertThat(loads.record("h1", new Sample(1, 10, 10 / 2, SECOND))).isTrue();
    assertThat(loads.load("h1").orElseThrow().received()).isEqualTo(10);
  }

  @Test
  void anOldOrRepeatedSampleIsDropped() {
    recordOneSecondLater(5, 100);
    now.addAndGet(SECOND.toNanos());

    assertThat(loads.record("h1", new Sample(5, 900, 900 / 2, SECOND))).isFalse();
    assertThat(loads.record("h1", new Sample(4, 900, 900 / 2, SECOND))).isFalse();
    assertThat(loads.load("h1").orElseThrow().received()).isEqualTo(100);
  }

  @Test
  void silentHostsAreForgottenAndOthersKept() {
    recordOneSecondLater(1, 100);
    now.addAndGet(Duration.ofSeconds(4).toNanos());
    assertThat(loads.record("h2", new Sample(1, 1, 1 / 2, SECOND))).isTrue();
    loads.forgetSilent();

    // Were h1 still known, the clock turned back would show it again.
    now.addAndGet(-Duration.ofSeconds(4).toNanos());
    assertThat(loads.load("h1")).isEmpty();
    assertThat(loads.load("h2")).isPresent();
  }

  private void recordOneSecondLater(long sequence, long received) {
    now.addAndGet(SECOND.toNanos());
    assertThat(loads.record("h1", new Sample(sequence, received, received / 2, SECOND))).isTrue();
  }
}
