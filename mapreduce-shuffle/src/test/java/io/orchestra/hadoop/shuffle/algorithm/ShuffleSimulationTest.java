package io.orchestra.hadoop.shuffle.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the paper says of shuffles (Orchestra, section 6), and what lanes make of them. */
final class ShuffleSimulationTest {
  private static final FetchPolicy STOCK = FetchPolicy.stock(FetchPolicy.PARALLEL_COPIES);
  private static final int SEEDS = 8;

  @Test
  void figure8TakesFiveUnitsWithFairSharesAndFourWithWeights() {
    ShuffleCase figure8 = ShuffleCase.figure8();

    assertThat(figure8.bound()).isEqualTo(4);
    assertThat(time(figure8, FetchPolicy.allAtOnce())).isCloseTo(5, within(1e-6));
    assertThat(time(figure8, STOCK)).isCloseTo(5, within(1e-6));
    assertThat(time(figure8, FetchPolicy.paper())).isCloseTo(4, within(1e-6));
    assertThat(time(figure8, FetchPolicy.lanes())).isCloseTo(4, within(0.1));
  }

  /** Whether outputs are divided or not, and however few there are: lanes compare as bytes do. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 20})
  void figure8TakesFourUnitsWhateverTheNumberOfOutputs(int outputs) {
    ShuffleCase figure8 = ShuffleCase.figure8(outputs);

    assertThat(time(figure8, FetchPolicy.lanes())).isBetween(3.999, 4.2);
    assertThat(time(figure8, FetchPolicy.lanes(0))).isBetween(3.999, 4.2);
    assertThat(time(figure8, FetchPolicy.lanes(LaneLimits.ALL))).isBetween(3.999, 4.2);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 20})
  void aHotSenderIsNoSlowerThanWithStockWhateverTheNumberOfOutputs(int outputs) {
    LongFunction<ShuffleCase> shuffles = seed -> ShuffleCase.hotSenders(40, 5, 1, outputs, seed);
    double stock = slowdown(shuffles, STOCK);

    assertThat(slowdown(shuffles, FetchPolicy.lanes())).isBetween(0.999, 1.08);
    assertThat(slowdown(shuffles, FetchPolicy.lanes(0))).isBetween(0.999, 1.08);
    assertThat(slowdown(shuffles, FetchPolicy.lanes(LaneLimits.ALL))).isBetween(0.999, stock);
  }

  @Test
  void weightsAreWorthHalfTheTimeMoreWithAHundredSendersEachAndOneInCommon() {
    ShuffleCase shuffle = ShuffleCase.hundredSenders();

    assertThat(time(shuffle, FetchPolicy.paper())).isCloseTo(200, within(1e-6));
    assertThat(time(shuffle, FetchPolicy.allAtOnce())).isCloseTo(1.495 * 200, within(0.1));
    assertThat(slowdown(seed -> shuffle, STOCK)).isCloseTo(286.0 / 200, within(0.05));
    assertThat(slowdown(seed -> shuffle, FetchPolicy.lanes())).isBetween(0.999, 1.02);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 30})
  void figure7TwoConnectionsAreMuchBetterThanOneAndFiveCloseToTheBest(int receivers) {
    double one = figure7(receivers, 1);
    double two = figure7(receivers, 2);
    double five = figure7(receivers, 5);

    assertThat(one).isGreaterThan(1.2);
    assertThat(two).isLessThan(0.9 * one);
    assertThat(five).isLessThan(Math.min(two, 1.35));
    assertThat(figure7(receivers, 15)).isLessThan(five);
    assertThat(figure7(receivers, 30)).isCloseTo(1, within(1e-6));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 30})
  void figure7ASingleReceiverNeedsItsLinkAndNoMore(int connections) {
    assertThat(figure7(1, connections)).isCloseTo(1, within(1e-6));
  }

  private static double figure7(int receivers, int connections) {
    return slowdown(seed -> ShuffleCase.figure7(receivers), FetchPolicy.stock(connections));
  }

  @Test
  void fewReducersThatMeetAHotSenderGainMost() {
    LongFunction<ShuffleCase> shuffles = seed -> ShuffleCase.hotSenders(40, 5, 1, seed);

    assertThat(slowdown(shuffles, FetchPolicy.allAtOnce())).isCloseTo(1.34, within(0.03));
    assertThat(slowdown(shuffles, STOCK)).isCloseTo(1.26, within(0.05));
    assertThat(slowdown(shuffles, FetchPolicy.lanes())).isBetween(0.999, 1.05);
  }

  @Test
  void moreReducersThatMeetHotSendersGainLess() {
    LongFunction<ShuffleCase> shuffles = seed -> ShuffleCase.hotSenders(40, 10, 2, seed);

    assertThat(slowdown(shuffles, FetchPolicy.allAtOnce())).isCloseTo(1.26, within(0.03));
    assertThat(slowdown(shuffles, STOCK)).isCloseTo(1.22, within(0.05));
    assertThat(slowdown(shuffles, FetchPolicy.lanes())).isBetween(0.999, 1.05);
  }

  @Test
  void whereManyReducersKeepTheHotSendersBusyThereIsNothingToGain() {
    LongFunction<ShuffleCase> shuffles = seed -> ShuffleCase.hotSenders(40, 40, 4, seed);

    assertThat(slowdown(shuffles, FetchPolicy.allAtOnce())).isCloseTo(1, within(0.01));
    assertThat(slowdown(shuffles, STOCK)).isCloseTo(1.02, within(0.02));
    assertThat(slowdown(shuffles, FetchPolicy.lanes())).isBetween(0.999, 1.02);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 1, 2})
  void sizesThatVaryWithoutAPatternAreNearlyAsGoodWithoutWeights(double sigma) {
    LongFunction<ShuffleCase> shuffles = seed -> ShuffleCase.lognormal(20, 20, sigma, seed);
    double stock = slowdown(shuffles, STOCK);

    assertThat(stock).isBetween(1.0, 1.1);
    assertThat(slowdown(shuffles, FetchPolicy.lanes())).isBetween(0.999, Math.min(stock, 1.02));
  }

  /** Lanes that are free help where flows are slow. */
  @ParameterizedTest
  @CsvSource({"5, 1.06, 1.01", "8, 1.19, 1.02", "20, 1.29, 1.07"})
  void balancedShufflesAreFasterThanWithStockWhereFlowsAreNotEquallyFast(
      int hosts, double stock, double ours) {
    ShuffleCase shuffle = ShuffleCase.balanced(hosts, hosts, 6, hosts, 80 << 20);

    assertThat(uneven(shuffle, STOCK)).isCloseTo(stock, within(0.005));
    assertThat(uneven(shuffle, FetchPolicy.lanes()))
        .isCloseTo(ours, within(0.005))
        .isLessThan(0.96 * uneven(shuffle, STOCK));
  }

  private static double uneven(ShuffleCase shuffle, FetchPolicy policy) {
    return LongStream.range(0, SEEDS)
            .mapToDouble(seed -> ShuffleSimulation.run(shuffle, policy, 0.4, seed).time())
            .average()
            .orElseThrow()
        / shuffle.bound();
  }

  @Test
  void sendersAndReducersThatAreSkewedTogetherEndAtTheBound() {
    LongFunction<ShuffleCase> shuffles = seed -> ShuffleCase.zipf(20, 20, 0.8);
    double stock = slowdown(shuffles, STOCK);

    assertThat(stock).isBetween(1.0, 1.05);
    assertThat(slowdown(shuffles, FetchPolicy.lanes())).isBetween(0.999, 1.01);
  }

  private static double time(ShuffleCase shuffle, FetchPolicy policy) {
    return ShuffleSimulation.run(shuffle, policy, 1).time();
  }

  private static double slowdown(LongFunction<ShuffleCase> shuffles, FetchPolicy policy) {
    return ShuffleSimulation.slowdown(shuffles, policy, SEEDS);
  }
}
