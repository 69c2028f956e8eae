package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Share;
import io.orchestra.hadoop.prefetch.resourcemanager.LaunchScore.Score;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LaunchScoreTest {
  private final LaunchScore launches = new LaunchScore();

  @Test
  void aMapIsReadyWhenAllOfItsBlocksAre() {
    launches.launched("one", true, List.of());
    launches.launched("one", false, List.of());
    launches.launched("one", false, List.of(new Share(5, 5, false), new Share(3, 3, false)));
    launches.launched("two", false, List.of(new Share(5, 5, false), new Share(0, 3, false)));
    launches.launched("two", false, List.of(new Share(0, 5, false)));

    assertThat(launches.score()).isEqualTo(new Score(1, 1, 1, 2));
    assertThat(launches.jobs().get("one")).isEqualTo(new Score(1, 1, 0, 1));
    assertThat(launches.jobs().get("two")).isEqualTo(new Score(0, 0, 1, 1));
  }

  @Test
  void whatCameOnlyWhileMapsStartedIsCountedApart() {
    launches.launched("one", false, List.of(new Share(5, 5, true)));
    launches.launched("one", false, List.of(new Share(1, 5, true)));
    launches.launched("one", false, List.of(new Share(0, 5, true)));

    assertThat(launches.score()).isEqualTo(new Score(0, 0, 0, 1, 1, 1));
  }

  @Test
  void whatCameBeforeCountsAsThatUntilSomethingCameWhileTheMapStarted() {
    launches.launched("one", false, List.of(new Share(5, 5, false), new Share(0, 5, true)));
    launches.launched("one", false, List.of(new Share(5, 5, false), new Share(1, 5, true)));

    assertThat(launches.score()).isEqualTo(new Score(0, 0, 1, 0, 0, 1));
  }

  @Test
  void jobsOfLateAreRemembered() {
    for (int job = 0; job < 3000; job++) {
      launches.launched("job " + job, true, List.of());
      launches.launched("long job", true, List.of());
    }

    assertThat(launches.jobs()).hasSize(1000).containsKey("job 2999");
    assertThat(launches.jobs().get("long job").local()).isEqualTo(3000);
    assertThat(launches.score().local()).isEqualTo(6000);
  }
}
