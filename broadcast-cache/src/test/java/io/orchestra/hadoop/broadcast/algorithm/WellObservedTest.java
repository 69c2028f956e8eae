package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class WellObservedTest {
  private final double[][] times = unknown(7);

  @Test
  void whoeverDependsOnAPoorlyObservedPeerFallsWithIt() {
    link(0, 1, 2);
    // 3 has two times, but one of them is with 4, which has only that.
    know(0, 3);
    know(3, 4);

    assertThat(among(2)).containsExactly(0, 1, 2);
    assertThat(among(1)).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void ofGroupsWithoutALinkTheLargestIsTaken() {
    link(0, 1, 2);
    link(3, 4, 5, 6);

    assertThat(among(2)).containsExactly(3, 4, 5, 6);
  }

  @Test
  void noneMayBeLeft() {
    know(0, 1);

    assertThat(among(2)).isEmpty();
  }

  @Test
  void onlyCandidatesCount() {
    link(0, 1, 2, 3);

    assertThat(WellObserved.among(times, new int[] {0, 1, 2}, 2)).containsExactly(0, 1, 2);
    assertThat(WellObserved.among(times, new int[] {0, 1, 2}, 3)).isEmpty();
  }

  private int[] among(int least) {
    return WellObserved.among(times, IntStream.range(0, times.length).toArray(), least);
  }

  private void link(int... peers) {
    for (int one : peers) {
      Arrays.stream(peers).filter(other -> other < one).forEach(other -> know(one, other));
    }
  }

  private void know(int one, int other) {
    times[one][other] = 100;
    times[other][one] = 100;
  }

  private static double[][] unknown(int peers) {
    double[][] times = new double[peers][peers];
    Arrays.stream(times).forEach(row -> Arrays.fill(row, Double.NaN));
    return times;
  }
}
