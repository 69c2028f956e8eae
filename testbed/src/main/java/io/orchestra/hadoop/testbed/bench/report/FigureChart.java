package io.orchestra.hadoop.testbed.bench.report;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.result.ExperimentResult;
import io.orchestra.hadoop.testbed.bench.result.Summary;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A bar for each arm: the median of a figure, with the range from minimum to maximum. */
final class FigureChart {
  private static final int WIDTH = 520;
  private static final int HEIGHT = 360;
  private static final double BAR_WIDTH = 0.5;

  private FigureChart() {}

  static CategoryChart of(ExperimentResult result, String figure) {
    List<String> arms = new ArrayList<>();
    List<Double> medians = new ArrayList<>();
    List<Double> centres = new ArrayList<>();
    List<Double> reaches = new ArrayList<>();
    for (Arm arm : result.experiment().arms()) {
      List<Double> values = result.values(arm, figure);
      if (!values.isEmpty()) {
        Summary summary = Summary.of(values);
        arms.add(arm.name());
        medians.add(summary.median());
        centres.add((summary.min() + summary.max()) / 2);
        reaches.add((summary.max() - summary.min()) / 2);
      }
    }
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(result.experiment().name())
            .yAxisTitle(figure)
            .build();
    ChartStyle.apply(chart);
    chart.getStyler().setOverlapped(true).setAvailableSpaceFill(BAR_WIDTH).setLegendVisible(false);
    chart.getStyler().setErrorBarsColor(Color.BLACK);
    chart.addSeries("median", arms, medians);
    // XChart's error bars reach equally far up and down. Those of an invisible series in the middle
    // of the range reach from the minimum to the maximum.
    CategorySeries range = chart.addSeries("range", arms, centres, reaches);
    range.setChartCategorySeriesRenderStyle(CategorySeriesRenderStyle.Scatter);
    range.setMarker(SeriesMarkers.NONE);
    return chart;
  }
}
