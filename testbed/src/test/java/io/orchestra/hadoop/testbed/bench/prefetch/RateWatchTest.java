package io.orchestra.hadoop.testbed.bench.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.Curve;
import io.orchestra.hadoop.testbed.bench.prefetch.RateWatch.Moment;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RateWatchTest {
  private static final int MEGABIT = 125_000;

  @Test
  void bytesThatAreToldLateMakeNoRateJump() {
    // Of 20 Mbit/s 15 are prefetches, of which is told every two seconds.
    List<Moment> moments =
        IntStream.range(0, 12)
            .mapToObj(
                second ->
                    new Moment(
                        second, 20L * MEGABIT * second, 15L * MEGABIT * (second - second % 2)))
            .toList();

    List<Curve> curves = RateWatch.curves(moments);

    assertThat(curves).extracting(Curve::name).containsExactly("prefetches", "all else");
    assertThat(curves.get(0).seconds()).first().isEqualTo(2.5);
    assertThat(curves.get(0).values())
        .hasSize(7)
        .allSatisfy(rate -> assertThat(rate).isBetween(12.0, 18.0));
    assertThat(curves.get(1).values())
        .hasSize(7)
        .allSatisfy(rate -> assertThat(rate).isBetween(2.0, 8.0));
  }

  @Test
  void whereThereWasNoAnswerTheMeanIsOverALongerTime() {
    List<Curve> curves =
        RateWatch.curves(
            List.of(
                new Moment(0, 0, 0),
                new Moment(1, 20L * MEGABIT, 0),
                new Moment(40, 800L * MEGABIT, 0),
                new Moment(40.1, 802L * MEGABIT, 0)));

    assertThat(curves.get(1).values())
        .hasSize(2)
        .allSatisfy(rate -> assertThat(rate).isBetween(19.9, 20.1));
  }

  @Test
  void ofLessThanAFewSecondsThereIsNoRate() {
    List<Moment> moments = List.of(new Moment(0, 0, 0), new Moment(1, 9, 9));
    for (int count = 0; count <= moments.size(); count++) {
      assertThat(RateWatch.curves(moments.subList(0, count)))
          .allSatisfy(curve -> assertThat(curve.values()).isEmpty());
    }
  }
}
