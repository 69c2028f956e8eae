package io.orchestra.hadoop.core.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DutyCycleTest {
  private final DutyCycle cycle = new DutyCycle(50);

  @Test
  void itRestsLongerTheLongerTheWorkTakes() {
    assertThat(after(100, 40)).isCloseTo(5000, withinPercentage(1));
    assertThat(after(300, 40)).isCloseTo(15_000, withinPercentage(1));
    assertThat(after(1, 100)).isCloseTo(50, withinPercentage(10));
  }

  @Test
  void oneThatWasHeldUpDoesNotStopEverything() {
    after(1, 40);

    assertThat(cycle.pauseAfter(1000)).isLessThan(50 * 1000 / 7);
  }

  /** Whatever takes turns with what. */
  @ParameterizedTest
  @CsvSource({"1000, 1000", "1000, 1", "1, 1000", "0, 500"})
  void allPausesTogetherAreAsLongAsTheyHaveToBe(long one, long other) {
    long pauses =
        LongStream.range(0, 1000).map(turn -> cycle.pauseAfter(turn % 2 == 0 ? one : other)).sum();

    assertThat(pauses).isCloseTo(50 * 500 * (one + other), withinPercentage(2));
  }

  private long after(long nanos, int times) {
    return LongStream.range(0, times)
        .map(turn -> cycle.pauseAfter(nanos))
        .reduce((before, last) -> last)
        .orElseThrow();
  }
}
