package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class RestTest {
  /** Whoever rests for so long does not end in time. */
  private final Rest rest = new Rest(Duration.ofDays(1));

  @Test
  void whoHasSomethingToDoDoesNotRest() {
    rest.takeWhile(() -> false);
  }

  @Test
  void whatBeginsEndsARest() throws InterruptedException, ExecutionException, TimeoutException {
    CountDownLatch resting = new CountDownLatch(1);
    CompletableFuture<Void> clock =
        CompletableFuture.runAsync(
            () ->
                rest.takeWhile(
                    () -> {
                      resting.countDown();
                      return true;
                    }));
    assertThat(resting.await(60, TimeUnit.SECONDS)).isTrue();
    rest.end();
    clock.get(60, TimeUnit.SECONDS);
  }

  @Test
  void whatHasBegunMeanwhileIsNotSleptThrough() {
    rest.end();
    rest.end();
    rest.takeWhile(() -> true);
  }

  @Test
  void whoeverIsInterruptedStaysSo() {
    Thread.currentThread().interrupt();
    rest.takeWhile(() -> true);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aRestEndsByItself() {
    new Rest(Duration.ofMillis(1)).takeWhile(() -> true);
  }
}
