package io.orchestra.hadoop.prefetch.algorithm.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

final class AttemptProgressTest {
  private static final long MEBIBYTE = 1 << 20;

  @Property
  void anExactLineIsFoundFromThreeReports(
      @ForAll @LongRange(min = 4 * MEBIBYTE, max = 1024 * MEBIBYTE) long input,
      @ForAll @DoubleRange(min = 0.1, max = 500) double mebibytesPerSecond,
      @ForAll @DoubleRange(min = 0, max = 20) double start) {
    double alpha = 1 / (mebibytesPerSecond * MEBIBYTE);
    AttemptProgress attempt = new AttemptProgress(input, 0.05);

    for (int step = 1; step <= 3; step++) {
      assertThat(attempt.model()).as("before report %s", step).isEmpty();
      long read = input * step / 4;
      attempt.observe(read, alpha * read + start);
    }

    assertThat(attempt.model()).isPresent();
    double truth = alpha * input + start;
    assertThat(attempt.model().orElseThrow().seconds(input)).isCloseTo(truth, within(1e-6 * truth));
  }

  @Property
  void theEndIsForetoldWithinTenPercentAtHalfTimeInSpiteOfNoise(
      @ForAll long seed, @ForAll @IntRange(min = 12, max = 60) int reports) {
    Random random = new Random(seed);
    long input = 128 * MEBIBYTE;
    double seconds = 10 + 20 * random.nextDouble();
    AttemptProgress attempt = new AttemptProgress(input, 0.05);

    for (int report = 1; report <= reports / 2; report++) {
      double done = (double) report / reports;
      double noise = 1 + 0.02 * (random.nextDouble() - 0.5);
      attempt.observe((long) (done * input), 1.5 + done * seconds * noise);
    }

    assertThat(attempt.model())
        .hasValueSatisfying(
            model ->
                assertThat(model.seconds(input))
                    .isCloseTo(1.5 + seconds, within(0.1 * (1.5 + seconds))));
  }

  @Test
  void repeatedReportsSayNothing() {
    AttemptProgress attempt = new AttemptProgress(100, 0.05);
    attempt.observe(10, 1);
    attempt.observe(20, 2);
    for (int second = 3; second < 10; second++) {
      attempt.observe(20, second);
    }

    assertThat(attempt.model()).isEmpty();
    attempt.observe(30, 3);
    assertThat(attempt.model().orElseThrow().seconds(100)).isCloseTo(10, within(1e-9));
  }

  @Test
  void anAttemptThatSlowsDownIsNotStableUntilItsEstimatesAgreeAgain() {
    AttemptProgress attempt = new AttemptProgress(1000, 0.05);
    attempt.observe(100, 1);
    attempt.observe(200, 2);
    attempt.observe(300, 3);
    assertThat(attempt.model()).isPresent();

    attempt.observe(310, 9);
    assertThat(attempt.model()).isEmpty();

    long read = 310;
    double seconds = 9;
    for (int report = 0; report < 20; report++) {
      read += 30;
      seconds += 0.6;
      attempt.observe(read, seconds);
    }
    assertThat(attempt.model()).isPresent();
  }

  @Test
  void beforeTheFirstByteItIsNotKnownWhenThatComes() {
    AttemptProgress attempt = new AttemptProgress(100, 0.05);
    attempt.observe(0, 0.1);
    attempt.observe(0, 3);
    for (int read = 10; read <= 30; read += 10) {
      attempt.observe(read, 5 + read / 10.0);
    }

    assertThat(attempt.model().orElseThrow().seconds(100)).isCloseTo(15, within(1e-9));
  }

  @Test
  void whereItGoesOnMoreSlowlyANewLineBegins() {
    AttemptProgress attempt = withALineTo(500);
    for (int read = 520; read <= 580; read += 20) {
      attempt.observe(read, 5 + (read - 500) / 10.0);
    }

    assertThat(attempt.model().orElseThrow().seconds(1000)).isCloseTo(55, within(1e-9));
  }

  /** Two reports beside the old line are enough: others' times say nothing of this one's rest. */
  @Test
  void aNewLineCountsFromItsBeginning() {
    AttemptProgress attempt = withALineTo(500);
    attempt.observe(520, 7);
    assertThat(attempt.model()).as("one may be late").isEmpty();

    attempt.observe(540, 9);

    assertThat(attempt.model().orElseThrow().seconds(1000)).isCloseTo(55, within(1e-9));
  }

  @Test
  void whereItGoesOnFasterToo() {
    AttemptProgress attempt = withALineTo(500);
    for (int read = 700; read <= 900; read += 100) {
      attempt.observe(read, 5 + (read - 500) / 1000.0);
    }

    assertThat(attempt.model().orElseThrow().seconds(1000)).isCloseTo(5.5, within(1e-9));
  }

  @Test
  void oneReportThatComesLateBeginsNone() {
    AttemptProgress attempt = withALineTo(500);
    attempt.observe(600, 8);
    for (int read = 610; read <= 700; read += 10) {
      attempt.observe(read, read / 100.0);
    }

    // With a line of its own it would go back in time. The late one is still in.
    assertThat(attempt.model().orElseThrow().seconds(1000)).isBetween(9.5, 11.0);
  }

  @Test
  void whatIsNearTheLineForSoLongIsOnIt() {
    AttemptProgress attempt = withALineTo(50_000);
    attempt.observe(50_100, 501 + 20);
    attempt.observe(50_200, 502 + 20);

    assertThat(attempt.model().orElseThrow().seconds(100_000)).isBetween(1000.0, 1010.0);
  }

  @Test
  void itsCourseIsFromItsFirstBytesToItsLast() {
    AttemptProgress attempt = new AttemptProgress(1000, 0.05);
    attempt.observe(0, 1);
    attempt.observe(100, 5);
    assertThat(attempt.course(20)).isEmpty();

    attempt.observe(200, 6);
    attempt.observe(900, 13);
    assertThat(attempt.course(20)).hasValue(new Course(0.01, 6));
    assertThat(attempt.course(13)).hasValue(new Course(0.01, 0));
  }

  /** One that reads a hundred bytes a second, and has told of each hundred. */
  private static AttemptProgress withALineTo(int read) {
    AttemptProgress attempt = new AttemptProgress(2L * read, 0.05);
    for (int told = 100; told <= read; told += 100) {
      attempt.observe(told, told / 100.0);
    }
    return attempt;
  }

  @Test
  void inputBeyondTheSplitIsNoSample() {
    AttemptProgress attempt = new AttemptProgress(100, 0.05);
    attempt.observe(40, 4);
    attempt.observe(70, 7);
    attempt.observe(90, 9);
    attempt.observe(101, 500);

    assertThat(attempt.model().orElseThrow().seconds(100)).isCloseTo(10, within(1e-9));
    assertThat(attempt.read()).isEqualTo(90);
  }

  @Test
  void aNegativeInputIsRefused() {
    assertThatThrownBy(() -> new AttemptProgress(-1, 0.05))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1 bytes");
  }
}
