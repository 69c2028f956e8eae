package io.orchestra.hadoop.testbed.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Lists;
import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.Measurement;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class TrialOrderTest {
  private static final Predicate<Arm> NOT_THE_SECOND = arm -> !arm.name().equals("1");

  private final TrialOrder order = new TrialOrder(1, experiment("a"));

  @Test
  void seedsDifferBetweenRepetitionsWarmUpsExperimentsAndRuns() {
    Set<Long> seeds = new HashSet<>();
    for (int number = 1; number <= 100; number++) {
      seeds.add(order.repetition(number).seed());
      seeds.add(order.warmUp(number).seed());
      seeds.add(new TrialOrder(1, experiment("b")).repetition(number).seed());
      seeds.add(new TrialOrder(2, experiment("a")).repetition(number).seed());
    }
    assertThat(seeds).hasSize(400);
  }

  @Test
  void theSameRunGivesTheSameSeedsAndOrders() {
    TrialOrder again = new TrialOrder(1, experiment("a"));
    assertThat(again.repetition(7)).isEqualTo(order.repetition(7));
    assertThat(names(again, 7)).isEqualTo(names(order, 7));
  }

  @Test
  void ofTwoArmsEachComesFirstAsOften() {
    for (int number = 1; number <= 40; number += 2) {
      assertThat(names(order, number))
          .containsExactlyInAnyOrder("0", "1", "2")
          .isEqualTo(Lists.reverse(names(order, number + 1)));
    }
  }

  @Test
  void ordersAreDrawnAnewAfterThat() {
    assertThat(
            IntStream.range(0, 40)
                .mapToObj(pair -> names(order, 2 * pair + 1))
                .collect(Collectors.toSet()))
        .hasSize(6);
  }

  @Test
  void armsThatAloneTakePartDoSoToo() {
    for (int number = 1; number <= 40; number += 2) {
      assertThat(names(order, number, NOT_THE_SECOND))
          .containsExactlyInAnyOrder("0", "2")
          .isEqualTo(Lists.reverse(names(order, number + 1, NOT_THE_SECOND)));
    }
  }

  private static List<String> names(TrialOrder order, int repetition) {
    return names(order, repetition, arm -> true);
  }

  private static List<String> names(TrialOrder order, int repetition, Predicate<Arm> which) {
    return order.arms(order.repetition(repetition), which).stream().map(Arm::name).toList();
  }

  private static Experiment experiment(String name) {
    List<Arm> arms =
        Stream.of("0", "1", "2")
            .map(arm -> Arm.of(arm, trial -> Measurement.builder().build()))
            .toList();
    return Experiment.withoutBusyLink(name, "", "it is a test", Optional.empty(), arms);
  }
}
