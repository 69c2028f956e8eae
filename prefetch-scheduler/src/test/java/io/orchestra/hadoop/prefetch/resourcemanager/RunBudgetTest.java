package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RunBudgetTest {
  private final AtomicLong clock = new AtomicLong(-50);
  private final AtomicLong work = new AtomicLong(7);
  private final RunBudget budget = new RunBudget(100, clock::get, work::get);

  @Test
  void timeInWhichNothingIsComputedCostsNothing() {
    clock.addAndGet(10_000);
    work.addAndGet(100);

    assertThat(budget.getAsBoolean()).isFalse();
  }

  @Test
  void whoComputesForLongerIsStopped() {
    clock.addAndGet(101);
    work.addAndGet(101);

    assertThat(budget.getAsBoolean()).isTrue();
  }
}
