package io.orchestra.hadoop.prefetch.algorithm.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class CompletionTimeTest {
  private final AttemptProgress attempt = new AttemptProgress(1000, 0.05);
  private final FinishedMaps finished = new FinishedMaps();

  @Test
  void isUnknownWhileNothingIs() {
    attempt.observe(10, 1);

    assertThat(at(1)).isEmpty();
  }

  @Test
  void isWhatFinishedMapsTookWhileTheAttemptHasJustBegun() {
    finished.add(1000, 20, Optional.empty());

    assertThat(at(1)).hasValue(20);
  }

  @Test
  void isTheAttemptsOwnModelAndTheUsualTailOnceItIsStable() {
    finished.add(1000, 25, Optional.of(new LinearModel(0.02, 1)));
    observeAt(0.01);

    assertThat(at(3).orElseThrow()).isCloseTo(10 + 4, within(1e-9));
  }

  @Test
  void isALittleLaterForWhatIsOverdueAndUnknownForWhatIsHopeless() {
    finished.add(1000, 20, Optional.empty());
    assertThat(at(30).orElseThrow()).isCloseTo(33, within(1e-9));
    assertThat(at(41)).isEmpty();

    observeAt(0.01);
    assertThat(at(20).orElseThrow()).isCloseTo(22, within(1e-9));
    assertThat(at(21)).isEmpty();
  }

  private OptionalDouble at(double elapsed) {
    return CompletionTime.of(attempt, finished.seconds(1000), finished.tail(), elapsed);
  }

  private void observeAt(double secondsPerByte) {
    for (int read = 100; read <= 300; read += 100) {
      attempt.observe(read, secondsPerByte * read);
    }
  }
}
