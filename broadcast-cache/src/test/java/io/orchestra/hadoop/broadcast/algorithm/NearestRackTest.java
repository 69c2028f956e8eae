package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class NearestRackTest {
  /** Two racks of four, and a peer more. */
  private final double[][] times = new double[9][9];

  NearestRackTest() {
    for (int i = 0; i < 9; i++) {
      for (int j = 0; j < 9; j++) {
        times[i][j] = i == j ? Double.NaN : i / 4 == j / 4 ? 200 : 800;
      }
    }
  }

  @Test
  void aPeerAloneJoinsTheRackItsTimesAreLeastWith() {
    last(600, 610, 620, 630, 800, 810, 820, 830);

    assertThat(adopted(2)).isEqualTo(0);
  }

  @Test
  void soDoesAPeerWithoutARack() {
    last(800, 810, 820, 830, 600, Double.NaN, 620, Double.NaN);

    assertThat(adopted(NearestRack.NONE)).isEqualTo(1);
  }

  @Test
  void aPeerAsFarFromAllStaysAlone() {
    last(800, 810, 820, 830, 805, 815, 825, 835);

    assertThat(adopted(2)).isEqualTo(2);
  }

  @Test
  void aSingleTimeProvesNothing() {
    last(600, Double.NaN, Double.NaN, Double.NaN, 800, 810, 820, 830);

    assertThat(adopted(NearestRack.NONE)).isEqualTo(NearestRack.NONE);
  }

  @Test
  void withOneRackOnlyAllBelongToIt() {
    int[] racks = {0, 0, 0, 0, 0, 0, 0, 0, NearestRack.NONE};

    assertThat(new NearestRack(times, racks).adopted()[8]).isZero();
  }

  @Test
  void racksOfSeveralKeepTheirPeers() {
    last(200, 200, 200, 200, 800, 800, 800, 800);
    int[] racks = {0, 0, 0, 0, 1, 1, 1, 1, 1};

    assertThat(new NearestRack(times, racks).adopted()).isEqualTo(racks);
  }

  private void last(double... row) {
    for (int i = 0; i < row.length; i++) {
      times[8][i] = row[i];
      times[i][8] = row[i];
    }
  }

  private int adopted(int rack) {
    return new NearestRack(times, new int[] {0, 0, 0, 0, 1, 1, 1, 1, rack}).adopted()[8];
  }
}
