package io.orchestra.hadoop.prefetch.algorithm.completion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RecentMapsTest {
  private final RecentMaps maps = new RecentMaps();

  @Test
  void aMapTakesWhatHalfOfThoseWithSuchAnInputTook() {
    assertThat(maps.seconds(100)).isEmpty();
    maps.add(100, 10);
    maps.add(110, 14);
    maps.add(90, 90);
    maps.add(1000, 200);

    assertThat(maps.seconds(100)).hasValue(14);
    assertThat(maps.seconds(700)).hasValue(200);
  }

  @Test
  void withoutSuchAnInputAllOfThemCount() {
    maps.add(1000, 7);

    assertThat(maps.seconds(0)).hasValue(7);
  }

  @Test
  void onlyTheLastOnesCount() {
    for (int map = 0; map < 40; map++) {
      maps.add(100, 5);
    }
    for (int map = 0; map < 40; map++) {
      maps.add(100, 8);
    }

    assertThat(maps.seconds(100)).hasValue(8);
  }
}
