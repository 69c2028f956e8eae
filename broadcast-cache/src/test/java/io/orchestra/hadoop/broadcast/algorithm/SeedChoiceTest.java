package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SeedChoiceTest {
  @Test
  void theReplicasOfOneBlockAreAllChosenInTheirOrder() {
    assertThat(SeedChoice.choose(List.of(List.of("c", "a", "b")), 10, 10))
        .containsExactly("c", "a", "b");
  }

  @Test
  void everyBlockHasOneBeforeAnyHasTwo() {
    assertThat(
            SeedChoice.choose(
                List.of(List.of("a", "b"), List.of("c", "d"), List.of("e", "f")), 10, 4))
        .containsExactly("a", "c", "e", "b");
  }

  @Test
  void theLimitLeavesNoBlockWithoutAny() {
    assertThat(
            SeedChoice.choose(
                List.of(List.of("a", "b"), List.of("c", "d"), List.of("e", "f")), 10, 1))
        .containsExactly("a", "c", "e");
  }

  @Test
  void whoHasSeveralBlocksCountsForEach() {
    assertThat(SeedChoice.choose(List.of(List.of("a", "b"), List.of("c", "a")), 1, 10))
        .containsExactly("a");
  }

  @Test
  void aBlockWithoutReplicasIsLeftOut() {
    assertThat(SeedChoice.choose(List.of(List.of(), List.of("a")), 2, 10)).containsExactly("a");
  }
}
