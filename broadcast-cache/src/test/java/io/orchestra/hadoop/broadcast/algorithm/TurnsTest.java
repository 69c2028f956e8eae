package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class TurnsTest {
  private static final long STEP = Duration.ofMillis(200).toNanos();
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Turns turns = new Turns();
  private long now = Long.MAX_VALUE - 100 * SECOND;
  private long bytes;
  private boolean inTurns;

  /**
   * @param together bytes that come in each step when they come together
   * @param oneFirst bytes that come when they take turns
   * @return the part of the time in which they did
   */
  private double share(int seconds, int files, int together, int oneFirst) {
    long steps = seconds * SECOND / STEP;
    int stepsInTurns = 0;
    for (int step = 0; step < steps; step++) {
      inTurns = turns.inTurns(files, bytes, now);
      stepsInTurns += inTurns ? 1 : 0;
      now += STEP;
      bytes += inTurns ? oneFirst : together;
    }
    return (double) stepsInTurns / steps;
  }

  @Test
  void filesThatFillALinkTakeTurnsNearlyAllTheTime() {
    assertThat(share(4, 2, 100, 100)).as("it is not known yet").isZero();
    assertThat(share(2, 2, 100, 100)).isPositive();
    assertThat(share(300, 2, 100, 100)).isBetween(0.8, 0.95);
  }

  @Test
  void nearlyAsMuchIsEnough() {
    assertThat(share(300, 3, 100, 85)).isGreaterThan(0.8);
  }

  @Test
  void whereLessComesInTurnsTheyComeTogetherButForATryNowAndThen() {
    assertThat(share(300, 3, 100, 70)).isBetween(0.01, 0.15);
    assertThat(share(100, 3, 100, 70)).isBetween(0.01, 0.1);
  }

  @Test
  void whatHasBecomeWorthItIsFoundOut() {
    assertThat(share(300, 2, 100, 70)).isLessThan(0.15);
    share(90, 2, 100, 100);
    assertThat(share(100, 2, 100, 100)).isGreaterThan(0.8);
    assertThat(share(100, 2, 200, 100)).isLessThan(0.5);
    assertThat(share(100, 2, 200, 100)).isLessThan(0.3);
  }

  @Test
  void oneFileGoesFirstAnyway() {
    assertThat(share(20, 1, 100, 100)).isZero();
    assertThat(share(20, 2, 100, 100)).isPositive();
    assertThat(share(1, 1, 100, 100)).isZero();
    assertThat(share(4, 2, 100, 100)).as("other files, and perhaps other hosts").isZero();
  }

  @Test
  void nothingIsLearntWhileTheProcessStandsStill() {
    share(12, 2, 100, 100);
    assertThat(inTurns).isTrue();
    now += 10 * SECOND;
    assertThat(share(2, 2, 100, 100)).isOne();
  }

  @Test
  void filesOfWhichNothingComesMayTakeTurns() {
    assertThat(share(100, 2, 0, 0)).isGreaterThan(0.8);
  }
}
