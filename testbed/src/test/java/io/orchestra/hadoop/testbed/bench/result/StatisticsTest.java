package io.orchestra.hadoop.testbed.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orchestra.hadoop.testbed.bench.Formula;
import io.orchestra.hadoop.testbed.bench.Target;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class StatisticsTest {
  private static final Offset<Double> CLOSE = within(1e-4);

  @Test
  void summaryOfAnEvenNumberHasItsMedianInTheMiddleOfTwo() {
    assertThat(Summary.of(List.of(4.0, 1.0, 9.0, 2.0))).isEqualTo(new Summary(4, 3, 1, 9));
    assertThat(Summary.of(List.of(5.0))).isEqualTo(new Summary(1, 5, 5, 5));
  }

  @Test
  void intervalOfTheMeanIsStudents() {
    // Mean 2, standard deviation 1, t = 4.302653 with two degrees of freedom.
    Interval interval = Interval.ofMean(List.of(1.0, 2.0, 3.0)).orElseThrow();
    assertThat(interval.low()).isCloseTo(-0.484138, CLOSE);
    assertThat(interval.high()).isCloseTo(4.484138, CLOSE);
  }

  @Test
  void intervalOfRatiosIsThatOfTheirLogarithms() {
    // Logarithms 0, ln 2, 2 ln 2: mean and deviation ln 2, reach 4.302653 ln 2 / sqrt 3 = 1.721873.
    Interval interval = Interval.ofGeometricMean(List.of(4.0, 1.0, 2.0)).orElseThrow();
    assertThat(interval.low()).isCloseTo(2 * Math.exp(-1.721873), CLOSE);
    assertThat(interval.high()).isCloseTo(2 * Math.exp(1.721873), CLOSE);
  }

  @Test
  void equalValuesHaveAnIntervalWithoutWidth() {
    assertThat(Interval.ofMean(List.of(3.0, 3.0))).contains(new Interval(3, 3));
  }

  @Test
  void oneValueHasNoIntervalAndNeitherHaveRatiosThatAreNotAboveZero() {
    assertThat(Interval.ofMean(List.of(1.0))).isEmpty();
    assertThat(Interval.ofGeometricMean(List.of(1.0, 0.0, 2.0))).isEmpty();
  }

  @Test
  void valuesThatFallIntoGroupsHaveAMedianOutsideOfTheInterval() {
    assertThat(estimate(0.91, 0.92, 0.93, 0.94, 0.95, 0.95, 1.81, 1.82, 1.85, 1.85).isGrouped())
        .isTrue();
    assertThat(estimate(1.1, 1.2, 1.3).isGrouped()).isFalse();
    assertThat(estimate(1.3, 1.3, 1.3).isGrouped()).isFalse();
    assertThat(estimate(1.3).isGrouped()).isFalse();
  }

  private static Estimate estimate(Double... values) {
    return Estimate.of(
        Formula.PairedRatio.of("loaded", "time", "stock", "plugin"), List.of(values));
  }

  @Test
  void theWholeIntervalDecides() {
    Optional<Interval> interval = Optional.of(new Interval(1.2, 1.5));
    assertThat(Verdict.of(interval, atLeast(1.2))).isEqualTo(Verdict.MET);
    assertThat(Verdict.of(interval, atLeast(1.3))).isEqualTo(Verdict.UNDECIDED);
    assertThat(Verdict.of(interval, atLeast(1.5))).isEqualTo(Verdict.UNDECIDED);
    assertThat(Verdict.of(interval, atLeast(1.6))).isEqualTo(Verdict.NOT_MET);
    assertThat(Verdict.of(Optional.empty(), atLeast(1))).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  void limitsFromAboveAreJudgedTheOtherWayRound() {
    Optional<Interval> interval = Optional.of(new Interval(1.2, 1.5));
    assertThat(Verdict.of(interval, atMost(1.5))).isEqualTo(Verdict.MET);
    assertThat(Verdict.of(interval, atMost(1.4))).isEqualTo(Verdict.UNDECIDED);
    assertThat(Verdict.of(interval, atMost(1.2))).isEqualTo(Verdict.UNDECIDED);
    assertThat(Verdict.of(interval, atMost(1.1))).isEqualTo(Verdict.NOT_MET);
    assertThat(Verdict.of(Optional.empty(), atMost(2))).isEqualTo(Verdict.UNDECIDED);
  }

  private static Target atLeast(double limit) {
    return new Target(Target.Side.AT_LEAST, limit);
  }

  private static Target atMost(double limit) {
    return new Target(Target.Side.AT_MOST, limit);
  }
}
