package io.orchestra.hadoop.prefetch.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
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
                    () -> false))
        .doesNotThrowAnyException();
  }

  @Test
  void theThreadEndsWithNothingMoreToReport() {
    Iterator<Optional<Duration>> pauses =
        List.of(Optional.of(Duration.ZERO), Optional.of(Duration.ZERO), Optional.<Duration>empty())
            .iterator();
    ReporterThread.run(pauses::next, () -> false);

    assertThat(pauses.hasNext()).isFalse();
  }

  @Test
  @Timeout(60)
  void newsEndAPause() {
    Iterator<Optional<Duration>> pauses =
        List.of(Optional.of(Duration.ofHours(1)), Optional.<Duration>empty()).iterator();
    ReporterThread.run(pauses::next, () -> true);

    assertThat(pauses.hasNext()).isFalse();
  }
}
