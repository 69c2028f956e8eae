package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RackMovesTest {
  /** Two racks of four. */
  private final double[][] times = new double[8][8];

  RackMovesTest() {
    for (int i = 0; i < 8; i++) {
      for (int j = 0; j < 8; j++) {
        times[i][j] = i == j ? Double.NaN : i / 4 == j / 4 ? 200 : 800;
      }
    }
  }

  @Test
  void aPeerInTheWrongRackMoves() {
    assertThat(settled(0, 0, 0, 1, 1, 1, 1, 1)).containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
  }

  @Test
  void rightRacksStay() {
    assertThat(settled(5, 5, 5, 5, 2, 2, 2, 2)).containsExactly(5, 5, 5, 5, 2, 2, 2, 2);
  }

  @Test
  void aPeerAloneStays() {
    assertThat(settled(0, 0, 0, 2, 1, 1, 1, 1)).containsExactly(0, 0, 0, 2, 1, 1, 1, 1);
  }

  @Test
  void aRackThatAPeerWasNotSeenWithIsBetterThanAFarOne() {
    for (int other = 0; other < 3; other++) {
      times[3][other] = Double.NaN;
      times[other][3] = Double.NaN;
    }

    assertThat(settled(0, 0, 0, 0, 1, 1, 1, 1)).containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
    assertThat(settled(0, 0, 0, 1, 1, 1, 1, 1)).containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
  }

  @Test
  void inOneRackNoneMoves() {
    assertThat(settled(0, 0, 0, 0, 0, 0, 0, 0)).containsOnly(0);
  }

  private int[] settled(int... racks) {
    return new RackMoves(times, racks).settled();
  }
}
