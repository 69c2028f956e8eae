package io.orchestra.hadoop.prefetch.algorithm.flow;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

final class RequiredRateTest {
  @Property
  void theBlockIsThereAtTheDeadline(
      @ForAll @LongRange(min = 0, max = 1L << 34) long remaining,
      @ForAll long now,
      @ForAll @LongRange(min = 1_000_000, max = 3_600_000_000_000L) long lead) {
    long rate = RequiredRate.of(remaining, now, now + lead).orElseThrow();

    assertThat(rate).isPositive();
    assertThat(rate * (lead / 1e9)).isGreaterThanOrEqualTo(remaining * (1 - 1e-9));
    assertThat((rate - 1) * (lead / 1e9)).isLessThanOrEqualTo(remaining * (1 + 1e-9));
  }

  @Test
  void noRateIsTooLargeToBeAddedUp() {
    long rate = RequiredRate.of(Long.MAX_VALUE, 0, 1).orElseThrow();

    assertThat(Math.multiplyExact(rate, 1 << 14)).isPositive();
  }

  @Test
  void aDeadlineThatHasPassedHasNoRate() {
    assertThat(RequiredRate.of(100, 50, 50)).isEmpty();
    assertThat(RequiredRate.of(100, 50, 49)).isEmpty();
  }

  @Test
  void sixtyFourMebibytesInEightSecondsNeedEightMebibytesASecond() {
    assertThat(RequiredRate.of(64L << 20, 0, 8_000_000_000L)).hasValue(8L << 20);
  }
}
