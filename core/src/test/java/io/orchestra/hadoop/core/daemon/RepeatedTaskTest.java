package io.orchestra.hadoop.core.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class RepeatedTaskTest {
  private static final Duration SOON = Duration.ofMillis(1);

  private final CountDownLatch rounds = new CountDownLatch(3);

  @Test
  void whatFailsStopsNeitherThoseBehindItNorTheNextRound() throws InterruptedException {
    GuardedTask failing =
        new GuardedTask(
            "Failing",
            () -> {
              throw new IllegalStateException("always");
            });
    GuardedTask counting = new GuardedTask("Counting", rounds::countDown);

    try (RepeatedTask unused = RepeatedTask.start("test-rounds", SOON, SOON, failing, counting)) {
      assertThat(rounds.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void closingInterruptsARound() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    GuardedTask waiting =
        new GuardedTask(
            "Waiting",
            () -> {
              begun.countDown();
              try {
                rounds.await();
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
            });

    try (RepeatedTask unused = RepeatedTask.start("test-rounds", SOON, SOON, waiting)) {
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    }

    assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
  }
}
