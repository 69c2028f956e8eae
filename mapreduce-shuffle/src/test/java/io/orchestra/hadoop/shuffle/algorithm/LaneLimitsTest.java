package io.orchestra.hadoop.shuffle.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LaneLimitsTest {
  private static final long MEGABYTE = 1 << 20;

  private final LaneLimits limits = LaneLimits.of(5, 0, LaneLimits.Memory.NONE);

  @Test
  void lanesAreProportionalToWhatAReducerGets() {
    assertThat(limits.lanes(demand(250), true)).isEqualTo(10);
    assertThat(limits.lanes(demand(500), true)).isEqualTo(20);
    assertThat(limits.lanes(demand(80), true)).isEqualTo(3);
  }

  @Test
  void atLeastTwoAndAtMostFourTimesThoseOfAnAverageReducerOrForty() {
    Demand all = new Demand(List.of(new Share(1000, 1000)), 100);

    assertThat(limits.lanes(demand(0), true)).isEqualTo(2);
    assertThat(limits.lanes(all, true)).isEqualTo(40);
    assertThat(LaneLimits.of(20, 0, LaneLimits.Memory.NONE).lanes(all, true)).isEqualTo(40);
    assertThat(LaneLimits.of(50, 0, LaneLimits.Memory.NONE).lanes(all, true)).isEqualTo(50);
  }

  @Test
  void atLeastAsManyAsStockWhileSizesAreMissing() {
    assertThat(limits.lanes(new Demand(List.of(), 4), false)).isEqualTo(5);
    assertThat(limits.lanes(demand(1), false)).isEqualTo(5);
    assertThat(limits.lanes(demand(500), false)).isEqualTo(20);
  }

  @Test
  void theMoreReducersThereAreTheFewerLanesHasEachToOneSender() {
    assertThat(limits.lanesToOne(1)).isEqualTo(10);
    assertThat(limits.lanesToOne(10)).isEqualTo(7);
    assertThat(limits.lanesToOne(1000)).isEqualTo(2);
  }

  @Test
  void aRequestIsHalfOfALanesPart() {
    assertThat(limits.request(1000 * MEGABYTE, 10, 5)).isEqualTo(50 * MEGABYTE);
  }

  @Test
  void aRequestIsNeitherVeryShortNorVeryLong() {
    assertThat(limits.request(MEGABYTE, 10, 5)).isEqualTo(4 * MEGABYTE);
    assertThat(limits.request(100_000 * MEGABYTE, 10, 5)).isEqualTo(256 * MEGABYTE);
  }

  @Test
  void severalLanesShareAnOutputIfMemoryHoldsFewAtOnce() {
    LaneLimits.Memory memory =
        new LaneLimits.Memory(400 * MEGABYTE, 200 * MEGABYTE, 100 * MEGABYTE);
    LaneLimits limits = LaneLimits.of(5, 0, memory);

    assertThat(limits.request(10_000 * MEGABYTE, 10, 5)).isEqualTo(20 * MEGABYTE);
    assertThat(limits.request(10_000 * MEGABYTE, 10, 1)).isEqualTo(256 * MEGABYTE);
    assertThat(limits.request(100 * MEGABYTE, 10, 5)).isEqualTo(5 * MEGABYTE);
    assertThat(limits.request(10_000 * MEGABYTE, 10, 500)).isEqualTo(4 * MEGABYTE);
  }

  @Test
  void outputsOfOneSenderHoldHalfOfTheMemoryButTheLargestAtAnyRate() {
    assertThat(new LaneLimits.Memory(100, 66, 25).mostHeld()).isEqualTo(50);
    assertThat(new LaneLimits.Memory(100, 110, 25).mostHeld()).isEqualTo(50);
    assertThat(new LaneLimits.Memory(100, 50, 70).mostHeld()).isEqualTo(70);
  }

  @Test
  void outputsThatAreFetchedWholeLeaveWhatStartsAMerge() {
    assertThat(new LaneLimits.Memory(100, 66, 25).mostHeldWhole()).isEqualTo(34);
    assertThat(new LaneLimits.Memory(100, 50, 25).mostHeldWhole()).isEqualTo(50);
    assertThat(new LaneLimits.Memory(100, 30, 25).mostHeldWhole()).isEqualTo(50);
    assertThat(new LaneLimits.Memory(100, 66, 70).mostHeldWhole()).isEqualTo(70);
    assertThat(new LaneLimits.Memory(100, 90, 25).mostHeldWhole()).isEqualTo(25);
    assertThat(new LaneLimits.Memory(100, 110, 25).mostHeldWhole()).isEqualTo(25);
  }

  @Test
  void whatIsTooLargeForMemoryHoldsNone() {
    assertThat(new LaneLimits.Memory(100, 66, 25).held(25)).isEqualTo(25);
    assertThat(new LaneLimits.Memory(100, 66, 25).held(26)).isZero();
    assertThatThrownBy(() -> new LaneLimits.Memory(1, 1, 2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void limitsThatCannotBeMetAreRefused() {
    assertThatThrownBy(() -> new LaneLimits(0, 10, 20, 1, 2, 0, LaneLimits.Memory.NONE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new LaneLimits(5, 10, 20, 3, 2, 0, LaneLimits.Memory.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 to 2 bytes");
  }

  /** One of four reducers that get 1000 bytes together. */
  private static Demand demand(long own) {
    return new Demand(List.of(new Share(own, 1000)), 4);
  }
}
