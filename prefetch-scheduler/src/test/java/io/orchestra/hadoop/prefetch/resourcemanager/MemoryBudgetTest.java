package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MemoryBudgetTest {
  private final MemoryBudget memory = new MemoryBudget(100);

  @Test
  void nobodyTakesMoreThanHalfOfIt() {
    assertThat(memory.take("one", 50)).isTrue();
    assertThat(memory.take("one", 1)).isFalse();
    assertThat(memory.take("two", 51)).isFalse();
    assertThat(memory.take("two", 50)).isTrue();
    assertThat(memory.take("three", 1)).isFalse();
  }

  @Test
  void whatIsGivenBackMayBeTaken() {
    assertThat(memory.take("one", 50)).isTrue();
    assertThat(memory.take("two", 50)).isTrue();
    assertThat(memory.take("one", -10)).isTrue();
    assertThat(memory.take("three", 10)).isTrue();

    memory.giveBack("two", 50);
    assertThat(memory.take("three", 40)).isTrue();
  }
}
