package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

final class TurnsTest {
  private static final long STEP = Duration.ofMillis(200).toNanos();
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final Set<String> ONE = Set.of("a");
  private static final Set<String> TWO = Set.of("a", "b");
  private static final Set<String> THREE = Set.of("a", "b", "c");

  private final Turns turns = new Turns();
  private long now = Long.MAX_VALUE - 100 * SECOND;
  private long bytes;
  private boolean inTurns;

  /**
   * @param together bytes that come in each step when they come together
   * @param oneFirst bytes that come when they take turns
   * @return seconds in which they did
   */
  private double inTurns(int seconds, Set<String> files, int together, int oneFirst) {
    return inTurns(seconds, files, () -> together, () -> oneFirst);
  }

  private double inTurns(
      int seconds, Set<String> files, IntSupplier together, IntSupplier oneFirst) {
    long steps = seconds * SECOND / STEP;
    int stepsInTurns = 0;
    for (int step = 0; step < steps; step++) {
      inTurns = turns.inTurns(files, bytes, now);
      stepsInTurns += inTurns ? 1 : 0;
      now += STEP;
      bytes += (inTurns ? oneFirst : together).getAsInt();
    }
    return (double) stepsInTurns * STEP / SECOND;
  }

  @Test
  void filesThatFillALinkTakeTurnsNearlyAllTheTime() {
    assertThat(inTurns(4, TWO, 100, 100)).as("it is not known yet").isZero();
    assertThat(inTurns(2, TWO, 100, 100)).isPositive();
    assertThat(inTurns(300, TWO, 100, 100)).isBetween(250.0, 280.0);
  }

  @Test
  void nearlyAsMuchIsEnough() {
    assertThat(inTurns(300, THREE, 100, 85)).isGreaterThan(250);
  }

  @Test
  void whereLessComesInTurnsTheyComeTogetherButForATryNowAndThen() {
    assertThat(inTurns(300, THREE, 100, 70)).isBetween(10.0, 40.0);
    // Eighty seconds are the longest pause.
    assertThat(inTurns(500, THREE, 100, 70)).isBetween(20.0, 35.0);
  }

  @Test
  void whatHasBecomeWorthItIsFoundOut() {
    assertThat(inTurns(300, TWO, 100, 70)).isLessThan(40);
    inTurns(90, TWO, 100, 100);
    assertThat(inTurns(100, TWO, 100, 100)).isGreaterThan(80);
    assertThat(inTurns(40, TWO, 200, 100)).as("until the stint ends").isLessThan(36);
    assertThat(inTurns(100, TWO, 200, 100)).as("pauses are short again at first").isLessThan(20);
  }

  @Test
  void whoHearsMoreInTurnsThanBeforeHasMeasuredTooEarly() {
    inTurns(4, TWO, 10, 10);
    inTurns(5, TWO, 10, 60);
    assertThat(inTurns(60, TWO, 100, 60)).isLessThan(15);
  }

  @Test
  void otherTrafficDoesNotEndTurns() {
    inTurns(10, TWO, 100, 100);
    assertThat(inTurns).isTrue();
    assertThat(inTurns(60, TWO, 50, 50)).as("two windows together").isGreaterThan(48);
  }

  @Test
  void anotherFileIsTriedAtOnceAndOneThatHasEndedHoldsNobodyUp() {
    inTurns(8, TWO, 100, 100);
    assertThat(inTurns).isTrue();
    assertThat(inTurns(4, THREE, 100, 100)).isZero();
    assertThat(inTurns(200, THREE, 100, 70)).isLessThan(30);
    assertThat(inTurns(10, TWO, 100, 100)).as("in the middle of a pause").isGreaterThan(6);
    inTurns = false;
    assertThat(inTurns(10, Set.of("b", "c"), 100, 100)).as("others").isBetween(5.0, 6.5);
  }

  @Test
  void oneFileGoesFirstAnyway() {
    assertThat(inTurns(20, ONE, 100, 100)).isZero();
    assertThat(inTurns(20, TWO, 100, 100)).isPositive();
    assertThat(inTurns(1, ONE, 100, 100)).isZero();
    assertThat(inTurns(4, TWO, 100, 100)).as("other traffic, perhaps").isZero();
  }

  @Test
  void nothingIsLearntWhileTheProcessStandsStillNorFromWhatComesAtOnceAfterwards() {
    inTurns(12, TWO, 100, 100);
    assertThat(inTurns).isTrue();
    now += 5 * SECOND;
    assertThat(inTurns(3, TWO, 100, 100)).isEqualTo(3);
    now += 5 * SECOND;
    inTurns = turns.inTurns(TWO, bytes, now);
    bytes += 10_000;
    assertThat(inTurns(5, TWO, 100, 100)).isEqualTo(5);
  }

  @Test
  void whatComesJustAfterAChangeIsNotCounted() {
    int[] steps = new int[1];
    IntSupplier drained = () -> steps[0]++ < 5 ? 0 : 100;
    assertThat(inTurns(20, TWO, () -> 100, drained)).isGreaterThan(15);
  }
}
