package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowContainer;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowTask;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class FairSnapshotTest {
  private static final List<ShadowTask> MAPS =
      IntStream.range(0, 2 * FairSnapshot.LEAST_BELIEVED)
          .mapToObj(
              map ->
                  new ShadowTask(
                      "map" + map, ShadowTask.MAP, List.of(), List.of(), ShadowContainer.NEVER))
          .toList();

  @Test
  void aJobHasNoMoreWaitingMapsThanItAsksContainersForButAFewItIsAboutToAskFor() {
    assertThat(FairSnapshot.believable(MAPS, 0))
        .isEqualTo(MAPS.subList(0, FairSnapshot.LEAST_BELIEVED));
    assertThat(FairSnapshot.believable(MAPS, 700)).isEqualTo(MAPS.subList(0, 700));
    assertThat(FairSnapshot.believable(MAPS, 100_000)).isEqualTo(MAPS);
    assertThat(FairSnapshot.believable(MAPS.subList(0, 3), 0)).hasSize(3);
  }
}
