package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Share;
import io.orchestra.hadoop.prefetch.resourcemanager.LaunchScore.Score;
import io.orchestra.hadoop.prefetch.resourcemanager.LaunchedMaps.Launched;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LaunchedMapsTest {
  private final LaunchedMaps maps = new LaunchedMaps(map -> List.of(new Share(5, 5, false)));

  @Test
  void whoReadsSoonIsCountedBeforeThoseLaunchedEarlierThatReadLater() {
    maps.add(new Launched("slow", "map", "a", false, 1_000));
    maps.add(new Launched("fast", "map", "a", false, 10));

    maps.look(9);
    assertThat(maps.score()).isEqualTo(Score.NONE);
    maps.look(10);
    assertThat(maps.jobs()).containsOnlyKeys("fast");
    maps.look(1_000);
    assertThat(maps.score()).isEqualTo(new Score(0, 2, 0, 0));
  }

  @Test
  void whoeverIsNotCountedForLongMakesRoomForOthers() {
    for (int map = 0; map < LaunchedMaps.MOST + 7; map++) {
      maps.add(new Launched("job", "map " + map, "a", false, Long.MAX_VALUE));
    }

    assertThat(maps.score()).isEqualTo(new Score(0, 7, 0, 0));
  }
}
