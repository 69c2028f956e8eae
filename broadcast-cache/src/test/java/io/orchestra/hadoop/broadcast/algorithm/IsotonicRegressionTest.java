package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class IsotonicRegressionTest {
  @Test
  void whatRisesStaysAsItIs() {
    assertThat(IsotonicRegression.fit(new double[] {1, 1, 3, 7})).containsExactly(1, 1, 3, 7);
  }

  @Test
  void whatFallsBecomesItsMean() {
    assertThat(IsotonicRegression.fit(new double[] {5, 3, 1})).containsExactly(3, 3, 3);
  }

  @Test
  void nothingStaysNothing() {
    assertThat(IsotonicRegression.fit(new double[0])).isEmpty();
  }

  @Property
  void noWayOfPoolingNeighboursIsNearer(
      @ForAll @Size(min = 1, max = 8) List<@DoubleRange(min = -10, max = 10) Double> drawn) {
    double[] values = drawn.stream().mapToDouble(Double::doubleValue).toArray();
    double[] fitted = IsotonicRegression.fit(values);

    assertThat(fitted).isSorted();
    assertThat(squares(values, fitted)).isCloseTo(bruteForce(values), within(1e-9));
  }

  /** Of all ways of cutting the values into blocks those whose means rise, and the best of them. */
  private static double bruteForce(double[] values) {
    double best = Double.POSITIVE_INFINITY;
    for (int cuts = 0; cuts < 1 << (values.length - 1); cuts++) {
      double[] fitted = new double[values.length];
      int start = 0;
      for (int end = 1; end <= values.length; end++) {
        if (end == values.length || (cuts >> (end - 1) & 1) == 1) {
          Arrays.fill(
              fitted, start, end, Arrays.stream(values, start, end).average().orElseThrow());
          start = end;
        }
      }
      if (rises(fitted)) {
        best = Math.min(best, squares(values, fitted));
      }
    }
    return best;
  }

  private static boolean rises(double[] values) {
    for (int i = 1; i < values.length; i++) {
      if (values[i] < values[i - 1]) {
        return false;
      }
    }
    return true;
  }

  private static double squares(double[] values, double[] fitted) {
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      sum += (values[i] - fitted[i]) * (values[i] - fitted[i]);
    }
    return sum;
  }
}
