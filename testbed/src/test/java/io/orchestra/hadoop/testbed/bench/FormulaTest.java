package io.orchestra.hadoop.testbed.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FormulaTest {
  private static final Map<ArmFigure, Double> FIGURES =
      Map.of(
          new ArmFigure("stock", "job"), 20.0,
          new ArmFigure("ours", "job"), 15.0,
          new ArmFigure("bound", "job"), 12.0);

  @Test
  void aSavingIsAPartOfWhatCouldBeSaved() {
    Formula all = new Formula.PairedSaving("e", "job", "ours", "stock", Optional.empty());
    Formula gap = new Formula.PairedSaving("e", "job", "ours", "stock", Optional.of("bound"));

    assertThat(all.value(FIGURES::get)).isEqualTo(0.25);
    assertThat(gap.value(FIGURES::get)).isEqualTo(0.625);
    assertThat(gap.operands()).extracting(ArmFigure::arm).containsExactly("stock", "ours", "bound");
    assertThat(gap.text()).isEqualTo("job: (stock - ours) / (stock - bound)");
    assertThat(all.text()).isEqualTo("job: (stock - ours) / (stock)");
  }

  /** The slowest of three would have saved twice as much as can be. */
  @Test
  void whereNothingCanBeSavedNobodyHasSavedAPartOfIt() {
    Map<ArmFigure, Double> noise =
        Map.of(
            new ArmFigure("stock", "job"), 200.0,
            new ArmFigure("ours", "job"), 210.0,
            new ArmFigure("bound", "job"), 205.0);

    assertThat(
            new Formula.PairedSaving("e", "job", "ours", "stock", Optional.of("bound"))
                .value(noise::get))
        .isNaN();
  }

  @Test
  void theLargestIsThatOfAnyArm() {
    Formula largest = new Formula.Largest("e", "job", List.of("bound", "stock", "ours"));

    assertThat(largest.value(FIGURES::get)).isEqualTo(20);
    assertThat(largest.operands())
        .extracting(ArmFigure::arm)
        .containsExactly("bound", "stock", "ours");
    assertThat(largest.text()).isEqualTo("largest job of bound, stock, ours");
  }
}
