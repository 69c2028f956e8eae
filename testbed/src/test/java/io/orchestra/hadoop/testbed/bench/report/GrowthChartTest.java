package io.orchestra.hadoop.testbed.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.Growth;
import io.orchestra.hadoop.testbed.bench.result.ExperimentResult;
import io.orchestra.hadoop.testbed.bench.result.Results;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.knowm.xchart.XYSeries;

final class GrowthChartTest {
  private static final Growth GROWTH =
      new Growth("time", "hosts", Results.TIME, Map.of("of-2", 2, "of-12", 12));

  @Test
  void lineOfAnArmGoesThroughItsMediansInTheOrderOfWhatGrows() {
    List<ExperimentResult> results =
        List.of(
            Results.of("of-12", "stock", List.of(7.0, 9.0, 8.0)),
            Results.of("of-2", "stock", List.of(2.0, 2.0, 5.0)),
            Results.of("other", "stock", List.of(1.0)));
    assertThat(GrowthChart.drawable(GROWTH, results)).isTrue();
    XYSeries stock = GrowthChart.of(GROWTH, results).getSeries("stock");
    assertThat(stock.getXData()).containsExactly(2, 12);
    assertThat(stock.getYData()).containsExactly(2, 8);
  }

  @Test
  void thereIsNothingToDrawOfOneExperiment() {
    assertThat(
            GrowthChart.drawable(GROWTH, List.of(Results.of("of-12", "stock", List.of(1.0, 2.0)))))
        .isFalse();
  }
}
