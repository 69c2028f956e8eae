package io.orchestra.hadoop.prefetch.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class ReporterThreadTest {
  @Test
  void anErrorEndsTheThreadAndNobodyHearsOfIt() {
    assertThatCode(
            () ->
                ReporterThread.run(
                    () -> {
                      throw new StackOverflowError("made up");
                    },
                    () -> true,
                    () -> false))
        .doesNotThrowAnyException();
  }

  @Test
  void theThreadEndsWithNothingMoreToReport() {
    Iterator<Optional<Duration>> pauses =
        List.of(Optional.of(Duration.ZERO), Optional.of(Duration.ZERO), Optional.<Duration>empty())
            .iterator();
    ReporterThread.run(pauses::next, () -> true, () -> false);

    assertThat(pauses.hasNext()).isFalse();
  }

  @Test
  @Timeout(60)
  void newsEndAPause() {
    Iterator<Optional<Duration>> pauses =
        List.of(Optional.of(Duration.ofHours(1)), Optional.<Duration>empty()).iterator();
    ReporterThread.run(pauses::next, () -> true, () -> true);

    assertThat(pauses.hasNext()).isFalse();
  }

  @Test
  void nobodyLooksForNewsThatThereCannotBe() {
    Iterator<Optional<Duration>> pauses =
        List.of(Optional.of(Duration.ofMillis(150)), Optional.<Duration>empty()).iterator();
    AtomicInteger looks = new AtomicInteger();
    ReporterThread.run(pauses::next, () -> false, () -> looks.incrementAndGet() > 0);

    assertThat(pauses.hasNext()).isFalse();
    assertThat(looks).hasValue(0);
  }
}
