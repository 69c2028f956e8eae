package io.orchestra.hadoop.testbed.bench.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.ArmFigure;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class BroadcastBenchmarkTest {
  private static final Optional<String> NO_PROGRAMS = Optional.of("no BitTorrent client here");

  private final BroadcastBenchmark benchmark = new BroadcastBenchmark(Optional.empty());
  private final BroadcastBenchmark without = new BroadcastBenchmark(NO_PROGRAMS);

  @Test
  void descriptionTellsHowLongItTakes() {
    assertThat(benchmark.describe(options(1, true))).containsEntry("time", "about 7 minutes");
    assertThat(benchmark.describe(options(5, false)).get("time"))
        .endsWith("minutes, and more if targets stay undecided");
  }

  @Test
  void everyKeyThatARunFillsHasItsExperimentAndArms() {
    for (BenchOptions options : List.of(options(5, false), options(1, true))) {
      Map<String, List<String>> arms =
          Plans.of(options, true).plans().stream()
              .collect(
                  Collectors.toMap(
                      Plan::name, plan -> plan.ways().stream().map(Way::title).toList()));
      for (RatioKey key : benchmark.ratios()) {
        if (key.filledBy(options) && !key.experiments().contains("localization")) {
          key.formulas()
              .forEach(
                  formula ->
                      assertThat(arms.get(formula.experiment()))
                          .as(key.key())
                          .containsAll(formula.operands().stream().map(ArmFigure::arm).toList()));
        }
      }
    }
  }

  @Test
  void worstSpeedupIsOverAllSizesAndCounts() {
    assertThat(key(benchmark, "worstSpeedup").experiments())
        .hasSize(13)
        .contains("10mb-1", "10mb-2", "40mb-20", "100mb-12");
  }

  @Test
  void everythingThatCanGoWrongIsAnExperiment() {
    assertThat(key(benchmark, "secondsSoonerInFaults").experiments())
        .hasSize(Fault.values().length)
        .contains("40mb-4-stalled-replica", "40mb-4-cut-namenode");
    assertThat(key(benchmark, "worstSpeedup").experiments()).contains("40mb-4");
  }

  @Test
  void everyCountOfReceiversIsInTheGrowthOfItsSize() {
    assertThat(benchmark.growths())
        .extracting(growth -> growth.experiments().size())
        .containsExactly(6, 6);
    assertThat(benchmark.growths().get(1).experiments())
        .containsEntry("40mb-1", 1)
        .containsEntry("40mb-20", 20);
  }

  @Test
  void withoutItsProgramsBitTorrentIsLeftOutAndSaidSo() {
    BenchOptions quick = options(1, true);
    assertThat(key(benchmark, "versusBitTorrent12").filledBy(quick)).isTrue();
    assertThat(key(without, "versusBitTorrent12").filledBy(quick)).isFalse();
    assertThat(without.describe(quick)).containsEntry("left out", NO_PROGRAMS.orElseThrow());
    assertThat(Plans.of(quick, false).plans().get(0).ways()).doesNotContain(Way.BITTORRENT);
  }

  @Test
  void allReceiversFindReplicasOnOtherHosts() {
    for (BenchOptions options : List.of(options(5, false), options(1, true))) {
      Plans plans = Plans.of(options, true);
      for (Plan plan : plans.plans()) {
        int replicas = plan.ways().stream().mapToInt(Way::replicas).max().orElseThrow();
        assertThat(plan.cell().receivers() + replicas)
            .isLessThanOrEqualTo(Plans.RACKS * plans.hostsPerRack());
      }
    }
  }

  private static RatioKey key(BroadcastBenchmark benchmark, String name) {
    return benchmark.ratios().stream()
        .filter(key -> key.key().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static BenchOptions options(int repetitions, boolean quick) {
    return new BenchOptions("3.5.0", repetitions, quick, 1, Path.of("/results"));
  }
}
