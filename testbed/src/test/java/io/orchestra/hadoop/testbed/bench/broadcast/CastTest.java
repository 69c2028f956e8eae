package io.orchestra.hadoop.testbed.bench.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.NetworkPlan;
import io.orchestra.hadoop.testbed.network.Rate;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class CastTest {
  private static final NetworkPlan PLAN =
      new NetworkPlan(3, 10, 1, Rate.parse("100mbit"), Rate.parse("1gbit"));
  private static final int SEEDS = 200;

  @Test
  void nobodyReceivesWhatItHolds() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Cast cast = draw(seed, 20, 10);
      assertThat(cast.receivers()).hasSize(20).doesNotHaveDuplicates();
      assertThat(cast.holders())
          .hasSize(10)
          .doesNotHaveDuplicates()
          .doesNotContainAnyElementsOf(cast.receivers());
    }
  }

  @Test
  void eachFileHasReplicasOfItsOwnAndTheFirstAndTheReceiversDoNotDependOnTheOthers() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Cast cast = Cast.draw(seed, PLAN.workers(), 6, 10, 3);
      assertThat(cast.replicas()).hasSize(3).doesNotHaveDuplicates();
      for (List<String> hosts : cast.replicas()) {
        assertThat(hosts)
            .hasSize(10)
            .doesNotHaveDuplicates()
            .doesNotContainAnyElementsOf(cast.receivers());
      }
      assertThat(cast.holders()).doesNotHaveDuplicates().containsAll(cast.replicas().get(2));
      Cast ofOne = draw(seed, 6, 10);
      assertThat(cast.receivers()).isEqualTo(ofOne.receivers());
      assertThat(cast.replicas().get(0)).isEqualTo(ofOne.holders());
    }
  }

  @Test
  void receiversAreSpreadOverRacksAndDoNotDependOnReplicas() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Cast few = draw(seed, 12, 3);
      assertThat(racks(few.receivers()).values()).containsOnly(4L);
      assertThat(draw(seed, 12, 10).receivers()).isEqualTo(few.receivers());
    }
  }

  @Test
  void threeReplicasAreInTwoRacksAndMoreInAllWithoutTooManyInOne() {
    for (int seed = 0; seed < SEEDS; seed++) {
      assertThat(racks(draw(seed, 12, 3).holders()).values()).containsExactlyInAnyOrder(1L, 2L);
      // HDFS puts at most (R - 1) / racks + 2 into one, and as many as there are with 20 receivers.
      assertThat(racks(draw(seed, 12, 10).holders()).values()).allMatch(count -> count >= 3);
      assertThat(racks(draw(seed, 20, 10).holders()).values()).allMatch(count -> count <= 5);
    }
  }

  @Test
  void nearlyAllHostsCanLearnTheRacks() {
    int pupils = BroadcastTestbed.pupils(PLAN);
    assertThat(pupils).isEqualTo(24);
    for (int seed = 0; seed < SEEDS; seed++) {
      assertThat(draw(seed, pupils, 3).receivers()).hasSize(pupils);
    }
  }

  @Test
  void seedsDrawAllHosts() {
    List<String> drawn =
        IntStream.range(0, SEEDS)
            .boxed()
            .flatMap(seed -> draw(seed, 2, 3).receivers().stream())
            .distinct()
            .toList();
    assertThat(drawn).hasSize(30);
    assertThat(draw(4, 12, 3)).isEqualTo(draw(4, 12, 3));
  }

  @Test
  void tooFewHostsAreRefused() {
    assertThatThrownBy(() -> draw(1, 25, 10)).hasMessageContaining("25 receivers and 10 replicas");
  }

  private static Cast draw(long seed, int receivers, int replicas) {
    return Cast.draw(seed, PLAN.workers(), receivers, replicas, 1);
  }

  private static Map<String, Long> racks(List<String> hosts) {
    return hosts.stream()
        .map(name -> PLAN.host(name).map(Host::place).orElseThrow())
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }
}
