package io.orchestra.hadoop.testbed.bench.result;

import static io.orchestra.hadoop.testbed.bench.result.Results.OPTIONS;
import static io.orchestra.hadoop.testbed.bench.result.Results.PLUGIN;
import static io.orchestra.hadoop.testbed.bench.result.Results.STOCK;
import static io.orchestra.hadoop.testbed.bench.result.Results.experiment;
import static io.orchestra.hadoop.testbed.bench.result.Results.trial;
import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.Formula;
import io.orchestra.hadoop.testbed.bench.Links;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import io.orchestra.hadoop.testbed.bench.Selection;
import io.orchestra.hadoop.testbed.bench.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class KeyResultTest {
  private static final RatioKey RATIO =
      RatioKey.ratio("speedup", "", "loaded", "time", "stock", "plugin");

  private static final List<ExperimentResult> RESULTS =
      List.of(
          experiment(
              STOCK,
              PLUGIN,
              trial("stock", 1, 10, 0.5, 0.9),
              trial("plugin", 1, 5, 0.5, 0.9),
              trial("plugin", 2, 2, 0.5, 0.9),
              trial("stock", 2, 8, 0.5, 0.9),
              trial("stock", 3, 7, 0.5, 0.9)));

  @Test
  void ratiosAreOfFiguresOfTheSameRepetition() {
    assertThat(estimate(RATIO).values()).containsExactly(2.0, 4.0);
    assertThat(estimate(RATIO).median()).isEqualTo(3.0);
  }

  @Test
  void differencesAreOfTheSameRepetitionToo() {
    RatioKey difference = RatioKey.difference("saved", "", "loaded", "time", "stock", "plugin");
    assertThat(estimate(difference).values()).containsExactly(5.0, 6.0);
    // Mean 5.5, deviation sqrt 0.5, t = 12.7062 with one degree of freedom.
    assertThat(estimate(difference).interval().orElseThrow().high())
        .isCloseTo(5.5 + 12.7062 / 2, org.assertj.core.api.Assertions.within(1e-3));
  }

  @Test
  void figureOfOneArmNeedsNoOther() {
    RatioKey figure = RatioKey.figure("stock", "", "loaded", "time", "stock");
    assertThat(estimate(figure).values()).containsExactly(10.0, 8.0, 7.0);
    assertThat(estimate(figure).median()).isEqualTo(8.0);
  }

  @Test
  void onlyKeysWithTargetsHaveVerdicts() {
    assertThat(KeyResult.of(RATIO, OPTIONS, RESULTS).verdict()).isEmpty();
    KeyResult result = KeyResult.of(RATIO.targetAtLeast(2), OPTIONS, RESULTS);
    assertThat(result.verdict()).contains(Verdict.UNDECIDED);
    assertThat(result.undecided()).isTrue();
    // Values 2 and 4 have an interval from 0.03 to 230.
    assertThat(KeyResult.of(RATIO.targetAtMost(300), OPTIONS, RESULTS).verdict())
        .contains(Verdict.MET);
    assertThat(KeyResult.of(RATIO.targetAtMost(0.01), OPTIONS, RESULTS).verdict())
        .contains(Verdict.NOT_MET);
  }

  @Test
  void quickRunsFillTheKeysThatSaySo() {
    BenchOptions quick = new BenchOptions("3.5.0", 2, true, 1, Path.of("/results"));
    KeyResult left = KeyResult.of(RATIO, quick, RESULTS);
    assertThat(left.estimate()).isEmpty();
    assertThat(left.problem()).isEmpty();
    assertThat(KeyResult.of(RATIO.alsoQuick(), quick, RESULTS).estimate()).isPresent();
  }

  @Test
  void keyThatCannotBeComputedSaysWhy() {
    assertThat(KeyResult.of(RATIO, OPTIONS, List.of()).problem())
        .contains("no repetition measured it");
    ExperimentResult zero =
        experiment(STOCK, PLUGIN, trial("stock", 1, 10, 0.5, 0.9), trial("plugin", 1, 0, 0.5, 0.9));
    assertThat(KeyResult.of(RATIO, OPTIONS, List.of(zero)).problem().orElseThrow())
        .contains("divides by zero");
  }

  @Test
  void smallestOfSeveralFormulasCountsAndAllMustReachTheTarget() {
    // Values 2, 3 in one experiment and 4, 5 in the other.
    List<ExperimentResult> results = List.of(two("small", 4, 6), two("large", 8, 10));
    RatioKey worst = worst("small", "large");
    assertThat(KeyResult.of(worst, OPTIONS, results).estimate().orElseThrow().median())
        .isEqualTo(2.5);
    assertThat(
            KeyResult.of(worst, OPTIONS, results).smallest().orElseThrow().formula().experiment())
        .isEqualTo("small");
    // Values 4 and 5 have an interval from 1.1 to 18.5, values 2 and 3 one from 0.19 to 32.
    KeyResult undecided = KeyResult.of(worst.targetAtLeast(1), OPTIONS, results);
    assertThat(undecided.verdict()).contains(Verdict.UNDECIDED);
    assertThat(undecided.experiments(Verdict.UNDECIDED)).containsExactly(Map.entry("small", 1L));
    assertThat(KeyResult.of(worst.targetAtLeast(0.1), OPTIONS, results).verdict())
        .contains(Verdict.MET);
    assertThat(KeyResult.of(worst.targetAtLeast(20), OPTIONS, results).verdict())
        .contains(Verdict.NOT_MET);
  }

  @Test
  void smallestOfSeveralFormulasNeedsAllOfThem() {
    KeyResult result = KeyResult.of(worst("small", "large"), OPTIONS, List.of(two("small", 4, 6)));
    assertThat(result.estimate()).isEmpty();
    assertThat(result.problem()).contains("no repetition measured it");
    assertThat(KeyResult.of(worst("small"), OPTIONS, List.of(two("small", 4, 6))).estimate())
        .isPresent();
  }

  @Test
  void keyThatNeedsAnotherExperimentThanThoseThatRunIsNotFilled() {
    BenchOptions only =
        new BenchOptions(
            "3.5.0",
            2,
            false,
            false,
            new Selection(Set.of("loaded"), Set.of()),
            1,
            List.of(),
            Workload.RECORDED,
            Path.of("/results"));
    assertThat(KeyResult.of(RATIO, only, RESULTS).estimate()).isPresent();
    assertThat(KeyResult.of(worst("small", "loaded"), only, RESULTS).formulas()).isEmpty();
  }

  @Test
  void partOfAKeyIsJudgedInItsExperiment() {
    RatioKey part = worst("small", "large").in("large").orElseThrow();
    assertThat(part.experiments()).containsExactly("large");
    assertThat(KeyResult.of(part, OPTIONS, List.of(two("large", 8, 10))).estimate()).isPresent();
    assertThat(worst("small").in("large")).isEmpty();
  }

  @Test
  void keyThatIsLeftOutIsNoProblem() {
    KeyResult result = KeyResult.of(RATIO.leftOut("no such program"), OPTIONS, RESULTS);
    assertThat(result.estimate()).isEmpty();
    assertThat(result.problem()).isEmpty();
    assertThat(result.verdict()).isEmpty();
  }

  private static RatioKey worst(String... experiments) {
    return RatioKey.smallest(
        "worst",
        "",
        Stream.of(experiments)
            .map(name -> Formula.PairedRatio.of(name, "time", "stock", "plugin"))
            .toList());
  }

  /** Two repetitions, in which the plugin needs 2 s. */
  private static ExperimentResult two(String name, double first, double second) {
    return new ExperimentResult(
        Experiment.of(name, "", Links.of(Map::of, Map.of("a", 1.0)), List.of(STOCK, PLUGIN)),
        2,
        List.of(
            trial("stock", 1, first, 0.5, 0.9),
            trial("plugin", 1, 2, 0.5, 0.9),
            trial("stock", 2, second, 0.5, 0.9),
            trial("plugin", 2, 2, 0.5, 0.9)));
  }

  private static Estimate estimate(RatioKey key) {
    return KeyResult.of(key, OPTIONS, RESULTS).estimate().orElseThrow();
  }
}
