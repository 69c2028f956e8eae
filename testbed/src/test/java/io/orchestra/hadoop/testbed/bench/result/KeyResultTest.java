package io.orchestra.hadoop.testbed.bench.result;

import static io.orchestra.hadoop.testbed.bench.result.Results.OPTIONS;
import static io.orchestra.hadoop.testbed.bench.result.Results.PLUGIN;
import static io.orchestra.hadoop.testbed.bench.result.Results.STOCK;
import static io.orchestra.hadoop.testbed.bench.result.Results.experiment;
import static io.orchestra.hadoop.testbed.bench.result.Results.trial;
import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import java.nio.file.Path;
import java.util.List;
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

  private static Estimate estimate(RatioKey key) {
    return KeyResult.of(key, OPTIONS, RESULTS).estimate().orElseThrow();
  }
}
