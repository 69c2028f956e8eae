package io.orchestra.hadoop.testbed.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.Measurement;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class TrialOrderTest {
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
  void eachArmComesOnceInARepetitionAndInEachPlaceAboutAsOften() {
    int[] first = new int[3];
    for (int number = 1; number <= 300; number++) {
      List<String> names = names(order, number);
      assertThat(names).containsExactlyInAnyOrder("0", "1", "2");
      first[Integer.parseInt(names.get(0))]++;
    }
    assertThat(first[0]).isBetween(75, 125);
    assertThat(first[1]).isBetween(75, 125);
  }

  private static List<String> names(TrialOrder order, int repetition) {
    return order.arms(order.repetition(repetition)).stream().map(Arm::name).toList();
  }

  private static Experiment experiment(String name) {
    List<Arm> arms =
        Stream.of("0", "1", "2")
            .map(arm -> Arm.of(arm, trial -> Measurement.builder().build()))
            .toList();
    return Experiment.withoutBusyLink(name, "", "it is a test", Optional.empty(), arms);
  }
}
