package io.orchestra.hadoop.core.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class UserBudgetTest {
  private final UserBudget budget = new UserBudget(100, 60);

  @Test
  void nobodyTakesMoreThanItsPart() {
    assertThat(budget.take("one", 60)).isTrue();
    assertThat(budget.take("one", 1)).isFalse();
    assertThat(budget.take("another", 41)).isFalse();
    assertThat(budget.take("another", 40)).isTrue();
    assertThat(budget.take("third", 1)).isFalse();
    assertThat(budget.taken()).isEqualTo(100);
  }

  @Test
  void whatIsGivenBackCanBeTakenAgain() {
    budget.take("one", 60);
    budget.giveBack("one", 60);

    assertThat(budget.taken()).isZero();
    assertThat(budget.take("one", 60)).isTrue();
  }

  @Test
  void whoNeedsLessThanBeforeGivesBack() {
    budget.take("one", 60);
    budget.take("another", 40);

    assertThat(budget.take("one", -10)).isTrue();
    assertThat(budget.take("third", 10)).isTrue();
    assertThat(budget.taken()).isEqualTo(100);
  }

  @Test
  void lengthsOutOfReasonFindNoRoom() {
    budget.take("one", 50);

    assertThat(budget.take("one", Long.MAX_VALUE)).isFalse();
    assertThat(budget.taken()).isEqualTo(50);
  }
}
