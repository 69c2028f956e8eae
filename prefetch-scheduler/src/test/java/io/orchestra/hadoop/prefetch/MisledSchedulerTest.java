package io.orchestra.hadoop.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.prefetch.algorithm.shadow.Locality;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Prediction;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MisledSchedulerTest {
  private static final Prediction FIRST = launch("a", 10, "first", Locality.NODE_LOCAL);
  private static final Prediction SECOND = launch("b", 14, "second", Locality.RACK_LOCAL);
  private static final Prediction THIRD = launch("c", 40, "third", Locality.OFF_SWITCH);

  @Test
  void eachLaunchIsForetoldWhereOthersAreFarthestFromItInTime() {
    assertThat(MisledScheduler.elsewhere(List.of(FIRST, SECOND, THIRD), List.of("a", "b", "c")))
        .containsExactly(
            launch("c", 10, "first", Locality.OFF_SWITCH),
            launch("c", 14, "second", Locality.OFF_SWITCH),
            launch("a", 40, "third", Locality.OFF_SWITCH));
  }

  @Test
  void orWhereThereAreNone() {
    assertThat(MisledScheduler.elsewhere(List.of(FIRST, THIRD), List.of("a", "b", "c")))
        .extracting(Prediction::node)
        .containsExactly("b", "b");
  }

  @Test
  void aClusterOfOneHostHasNoOther() {
    assertThat(MisledScheduler.elsewhere(List.of(FIRST), List.of("a")))
        .extracting(Prediction::node)
        .containsExactly("a");
  }

  private static Prediction launch(String host, long nanos, String task, Locality locality) {
    return new Prediction(host, nanos, "job", task, locality);
  }
}
