package io.orchestra.hadoop.prefetch.algorithm.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RecentLaunchesTest {
  private static final Prediction MAP = prediction("job", "map");
  private static final Prediction OTHER = prediction("other", "map");

  private final RecentLaunches launches = new RecentLaunches();

  @Test
  void whatWasLaunchedSinceIsNotAhead() {
    launches.launched("job", "map", 100);

    assertThat(launches.ahead(List.of(MAP, OTHER), 99)).containsExactly(OTHER);
    assertThat(launches.ahead(List.of(MAP, OTHER), 100)).containsExactly(OTHER);
    assertThat(launches.ahead(List.of(MAP, OTHER), 101)).containsExactly(MAP, OTHER);
  }

  @Test
  void ofMoreThanCanBeTheOldestAreForgotten() {
    launches.launched("job", "map", 100);
    for (int map = 0; map < 20_000; map++) {
      launches.launched("large", "map" + map, 101);
    }

    assertThat(launches.ahead(List.of(MAP, prediction("large", "map0")), 0)).containsExactly(MAP);
  }

  private static Prediction prediction(String job, String task) {
    return new Prediction("a", 500, job, task, Locality.OFF_SWITCH);
  }
}
