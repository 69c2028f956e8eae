package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Racks that are known against those inferred. Agreement is the mean of the adjusted Rand index
 * over {@value #SEEDS} clusters that differ by their seed only.
 */
final class RackInferenceTest {
  private static final int SEEDS = 20;

  static List<MadeUpCluster> topologies() {
    return List.of(
        MadeUpCluster.of(8, 8),
        MadeUpCluster.of(4, 4, 4),
        MadeUpCluster.of(6, 6, 6, 6, 6),
        MadeUpCluster.of(14, 7, 3));
  }

  @ParameterizedTest
  @MethodSource("topologies")
  void racksAreFound(MadeUpCluster cluster) {
    assertThat(agreement(cluster)).isGreaterThan(0.98);
  }

  @ParameterizedTest
  @MethodSource("topologies")
  void racksAreFoundInStrongNoise(MadeUpCluster cluster) {
    assertThat(agreement(cluster.withNoise(0.6))).isGreaterThan(0.9);
  }

  @ParameterizedTest
  @MethodSource("topologies")
  void racksAreFoundFromTwoThirdsOfThePairs(MadeUpCluster cluster) {
    assertThat(agreement(cluster.withMissing(0.3))).isGreaterThan(0.9);
  }

  @ParameterizedTest
  @MethodSource("topologies")
  void racksAreFoundFromHalfOfThePairs(MadeUpCluster cluster) {
    assertThat(agreement(cluster.withMissing(0.5))).isGreaterThan(0.8);
  }

  @ParameterizedTest
  @MethodSource("topologies")
  void racksAreFoundThoughHostsSendAndReceiveAtSpeedsOfTheirOwn(MadeUpCluster cluster) {
    assertThat(agreement(cluster.withHostNoise(0.3))).isGreaterThan(0.9);
  }

  @ParameterizedTest
  @MethodSource("topologies")
  void aSlowHostDoesNotHideTheRacks(MadeUpCluster cluster) {
    assertThat(agreement(cluster.withSlowHost(2))).isGreaterThan(0.9);
  }

  @Test
  void slowHostsOfDifferentRacksAreNotARack() {
    MadeUpCluster cluster = MadeUpCluster.of(8, 8, 8);
    Random random = new Random(1);
    TransferTimes<Integer> times = new TransferTimes<>();
    for (int from = 0; from < 24; from++) {
      for (int to = 0; to < 24; to++) {
        if (from != to) {
          double base = cluster.racks()[from] == cluster.racks()[to] ? 200 : 800;
          // The first host of each rack is slow.
          double slow = (from % 8 == 0 ? 3 : 1) * (to % 8 == 0 ? 3 : 1);
          times.add(from, to, base * slow * Math.exp(0.3 * random.nextGaussian()));
        }
      }
    }

    assertThat(cluster.agreement(infer(times, 1))).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 16, 40})
  void oneRackIsNotSplit(int hosts) {
    assertThat(agreement(MadeUpCluster.of(hosts))).isGreaterThan(0.9);
    assertThat(agreement(MadeUpCluster.of(hosts).withNoise(0.6))).isGreaterThan(0.9);
  }

  @Test
  void racksWithoutADifferenceInTimesAreOne() {
    Optional<InferredRacks<Integer>> inferred =
        infer(MadeUpCluster.of(8, 8).withCrossing(1).times(new Random(1)), 1);

    assertThat(inferred.orElseThrow().count()).isEqualTo(1);
  }

  @Test
  void aDifferenceNotWorthMindingIsNotMinded() {
    Optional<InferredRacks<Integer>> inferred =
        infer(MadeUpCluster.of(8, 8).withCrossing(1.3).withNoise(0.05).times(new Random(1)), 1);

    assertThat(inferred.orElseThrow().count()).isEqualTo(1);
  }

  @Test
  void aGivenSpreadDecidesWhichDifferenceCounts() {
    TransferTimes<Integer> times = MadeUpCluster.of(8, 8).times(new Random(1));

    assertThat(inferWithSpread(times, 100).count()).isEqualTo(2);
    assertThat(inferWithSpread(times, 2000).count()).isEqualTo(1);
  }

  @Test
  void nothingIsSaidOfTooFewPeers() {
    assertThat(infer(MadeUpCluster.of(2, 1).times(new Random(1)), 1)).isEmpty();
    assertThat(infer(new TransferTimes<Integer>(), 1)).isEmpty();
  }

  @Test
  void nothingIsSaidWhereMostPeersWereSeenWithOneOrTwoOthers() {
    TransferTimes<Integer> times = new TransferTimes<>();
    for (int host = 0; host < 20; host++) {
      times.add(host, (host + 1) % 20, 200);
    }

    assertThat(infer(times, 1)).isEmpty();
  }

  @Test
  void aPeerSeenTooLittleHasNoRackAndHindersNobody() {
    TransferTimes<Integer> times = MadeUpCluster.of(8, 8).times(new Random(1));
    times.add(100, 3, 200);

    InferredRacks<Integer> racks = infer(times, 1).orElseThrow();

    assertThat(racks.count()).isEqualTo(2);
    assertThat(racks.rackOf()).hasSize(16).doesNotContainKey(100);
    assertThat(racks.apart(100, 3)).isFalse();
    assertThat(racks.apart(2, 3)).isFalse();
    assertThat(racks.apart(2, 13)).isTrue();
  }

  @Test
  void ofManyPeersASampleIsComparedAndTheOthersJoin() {
    MadeUpCluster cluster = MadeUpCluster.of(30, 30, 30);
    TransferTimes<Integer> times = cluster.times(new Random(1));

    Optional<InferredRacks<Integer>> inferred =
        new RackInference(2, OptionalDouble.empty(), 30, new Random(1)).infer(times);

    assertThat(cluster.agreement(inferred)).isGreaterThan(0.98);
  }

  @Test
  void theLowestScoreTellsTheNumberOfRacks() {
    InferredRacks<Integer> racks =
        infer(MadeUpCluster.of(6, 6, 6).times(new Random(1)), 1).orElseThrow();

    assertThat(racks.scores().indexOf(Collections.min(racks.scores())) + 1)
        .isEqualTo(racks.count())
        .isEqualTo(3);
    assertThat(racks.rackOf().values()).contains(0, 1, 2);
  }

  @Test
  void theSameSeedGivesTheSameAnswer() {
    MadeUpCluster cluster = MadeUpCluster.of(5, 5, 5).withMissing(0.4).withNoise(0.5);

    assertThat(infer(cluster.times(new Random(7)), 7))
        .isEqualTo(infer(cluster.times(new Random(7)), 7));
  }

  @Test
  void theOrderOfPeersDoesNotChangeTheirRacks() {
    MadeUpCluster cluster = MadeUpCluster.of(8, 5, 4);
    double[][] millis = new double[17][17];
    Random random = new Random(1);
    for (int i = 0; i < 17; i++) {
      for (int j = 0; j < 17; j++) {
        double base = cluster.racks()[i] == cluster.racks()[j] ? 200 : 800;
        millis[i][j] = base * Math.exp(0.3 * random.nextGaussian());
      }
    }
    List<Integer> order = new ArrayList<>(IntStream.range(0, 17).boxed().toList());

    for (int trial = 0; trial < 10; trial++) {
      Collections.shuffle(order, random);
      TransferTimes<Integer> times = new TransferTimes<>();
      for (int from : order) {
        order.stream()
            .filter(to -> to != from)
            .forEach(to -> times.add(from, to, millis[from][to]));
      }

      assertThat(cluster.agreement(infer(times, 1))).isEqualTo(1);
    }
  }

  @Test
  void settingsMustMakeSense() {
    assertThatThrownBy(() -> new RackInference(0, OptionalDouble.empty(), 200, new Random(1)))
        .hasMessageContaining("dimensions 0");
    assertThatThrownBy(() -> new RackInference(2, OptionalDouble.of(-1), 200, new Random(1)))
        .hasMessageContaining("-1.0");
    assertThatThrownBy(() -> new RackInference(2, OptionalDouble.empty(), 3, new Random(1)))
        .hasMessageContaining("most peers 3");
  }

  private static double agreement(MadeUpCluster cluster) {
    return IntStream.range(0, SEEDS)
        .mapToDouble(seed -> cluster.agreement(infer(cluster.times(new Random(seed)), seed)))
        .average()
        .orElseThrow();
  }

  private static Optional<InferredRacks<Integer>> infer(TransferTimes<Integer> times, int seed) {
    return new RackInference(new Random(seed)).infer(times);
  }

  private static InferredRacks<Integer> inferWithSpread(
      TransferTimes<Integer> times, double spread) {
    return new RackInference(2, OptionalDouble.of(spread), 200, new Random(1))
        .infer(times)
        .orElseThrow();
  }
}
