package io.orchestra.hadoop.prefetch.algorithm.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orchestra.hadoop.prefetch.algorithm.completion.CompletionTime.Usual;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class CompletionTimeTest {
  private final AttemptProgress attempt = new AttemptProgress(1000, 0.05);
  private final FinishedMaps finished = new FinishedMaps();
  private Optional<Course> course = Optional.empty();
  private double tail;

  @Test
  void isUnknownWhileNothingIs() {
    attempt.observe(10, 1);

    assertThat(at(1)).isEmpty();
  }

  @Test
  void isWhatFinishedMapsTookWhileTheAttemptHasJustBegun() {
    finished.add(1000, 20);

    assertThat(at(1)).hasValue(20);
  }

  @Test
  void isTheAttemptsOwnModelAndTheUsualTailOnceItIsStable() {
    finished.add(1000, 25);
    tail = 4;
    observeAt(0.01);

    assertThat(at(3).orElseThrow()).isCloseTo(10 + 4, within(1e-9));
  }

  @Test
  void isALittleLaterForWhatIsOverdueAndUnknownForWhatIsHopeless() {
    finished.add(1000, 20);
    assertThat(at(30).orElseThrow()).isCloseTo(33, within(1e-9));
    assertThat(at(41)).isEmpty();

    observeAt(0.01);
    assertThat(at(20).orElseThrow())
        .as("700 bytes are left, and a moment")
        .isCloseTo(20 + 7 + 0.5, within(1e-9));
    assertThat(at(21)).isEmpty();
  }

  @Test
  void isAMomentAwayAtTheEndOfTheInput() {
    for (int read = 200; read <= 1000; read += 200) {
      attempt.observe(read, read / 100.0);
    }

    assertThat(at(10).orElseThrow()).isCloseTo(10.5, within(1e-9));
    assertThat(at(12).orElseThrow()).isCloseTo(12.5, within(1e-9));
  }

  @Test
  void isLaterIfTheAttemptHasBegunLaterThanOthersOfWhichItIsKnownHowTheyGo() {
    finished.add(1000, 20);
    course = Optional.of(new Course(0.015, 2));

    assertThat(at(2)).as("its JVM starts").hasValue(20);
    assertThat(at(6).orElseThrow()).as("and still does").isCloseTo(6 + 15 + 2, within(1e-9));

    attempt.observe(100, 8);
    assertThat(at(8).orElseThrow()).isCloseTo(8 + 0.9 * 15 + 2, within(1e-9));
  }

  @Test
  void isLaterByWhatIsLeftIfAMapThatGoesAsOthersIsOverdue() {
    course = Optional.of(new Course(0.015, 2));
    attempt.observe(900, 20);
    assertThat(at(20).orElseThrow()).isCloseTo(20 + 1.5 + 2, within(1e-9));

    assertThat(at(24).orElseThrow()).isCloseTo(24 + 1.5 + 0.5, within(1e-9));
    attempt.observe(1000, 25);
    assertThat(at(30).orElseThrow()).as("a moment").isCloseTo(30.5, within(1e-9));
    assertThat(at(55)).isEmpty();
  }

  @Test
  void doesNotRecedeForEverBeforeOneThatTellsNothing() {
    finished.add(1000, 20);
    course = Optional.of(new Course(0.1, 0));

    assertThat(at(19).orElseThrow()).isCloseTo(119, within(1e-9));
    assertThat(at(20).orElseThrow()).isCloseTo(22, within(1e-9));
    assertThat(at(41)).isEmpty();
  }

  private OptionalDouble at(double elapsed) {
    return CompletionTime.of(attempt, new Usual(finished.seconds(1000), course, tail), elapsed);
  }

  private void observeAt(double secondsPerByte) {
    for (int read = 100; read <= 300; read += 100) {
      attempt.observe(read, secondsPerByte * read);
    }
  }
}
