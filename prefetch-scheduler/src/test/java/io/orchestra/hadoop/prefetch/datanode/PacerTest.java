package io.orchestra.hadoop.prefetch.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PacerTest {
  private final CountDownLatch done = new CountDownLatch(1);

  @Test
  void eachTakeWaitsForTheTimeOfTheOneBefore() throws InterruptedException {
    Pacer pacer = new Pacer(1_000);
    long start = System.nanoTime();
    for (int take = 0; take < 5; take++) {
      pacer.take(50);
    }

    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThanOrEqualTo(Duration.ofMillis(200));
  }

  @Test
  void withoutARateNobodyWaits() throws InterruptedException {
    Pacer pacer = new Pacer(0);
    Thread.currentThread().interrupt();
    pacer.take(Long.MAX_VALUE);
    pacer.take(Long.MAX_VALUE);

    assertThat(Thread.interrupted()).as("a wait would have ended with it").isTrue();
  }

  @Test
  void whoWaitsFeelsAnotherRateAtOnce() throws InterruptedException {
    Pacer pacer = new Pacer(1);
    waiting(pacer);
    pacer.rate(1_000_000_000);

    done.await();
  }

  @Test
  void whoIsInAHurryDoesNotWait() throws InterruptedException {
    Pacer pacer = new Pacer(1);
    waiting(pacer);
    pacer.hurry();

    done.await();
    pacer.take(1_000_000);
  }

  @Test
  void whoGoesOnWaitsAgainAfterThat() throws InterruptedException {
    Pacer pacer = new Pacer(1);
    Thread thread = waiting(pacer);
    pacer.goOn();
    done.await();
    thread.join();

    // It waits until then, or this fails.
    Thread again = waiting(pacer);
    again.interrupt();
    again.join();
  }

  @Test
  void whoWaitsCanBeInterrupted() {
    Pacer pacer = new Pacer(1);
    Thread thread = waiting(pacer);
    thread.interrupt();

    await().until(() -> !thread.isAlive());
    assertThat(done.getCount()).isEqualTo(1);
  }

  private Thread waiting(Pacer pacer) {
    Thread thread =
        new Thread(
            () -> {
              try {
                pacer.take(1_000_000);
                pacer.take(1);
                done.countDown();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.start();
    await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    return thread;
  }
}
