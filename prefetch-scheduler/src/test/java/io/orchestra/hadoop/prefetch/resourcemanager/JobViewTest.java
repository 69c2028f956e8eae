package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowContainer;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowTask;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class JobViewTest {
  @Test
  void whatMapsTakeIsThatOfOneThatWaitsOrElseOfOneThatHasJustGotItsContainer() {
    assertThat(view(List.of(map(5)), List.of(map(7))).mapNanos()).isEqualTo(5);
    assertThat(view(List.of(), List.of(map(7))).mapNanos()).isEqualTo(7);
    assertThat(view(List.of(map(ShadowContainer.NEVER)), List.of(map(7))).mapNanos()).isEqualTo(7);
    assertThat(view(List.of(map(ShadowContainer.NEVER)), List.of()).mapNanos())
        .as("nobody knows")
        .isZero();
  }

  private static ShadowTask map(long nanos) {
    return new ShadowTask("map", ShadowTask.MAP, List.of(), List.of(), nanos);
  }

  private static JobView view(List<ShadowTask> waiting, List<ShadowTask> served) {
    return new JobView(waiting, served, Set.of(), Map.of());
  }
}
