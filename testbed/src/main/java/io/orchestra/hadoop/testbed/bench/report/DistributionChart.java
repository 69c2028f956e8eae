package io.orchestra.hadoop.testbed.bench.report;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.result.ExperimentResult;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The distribution of samples of all repetitions: which part of them is at most so large. */
final class DistributionChart {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 400;

  /** More points cannot be told apart and make files large. */
  private static final int MOST_POINTS = 200;

  private DistributionChart() {}

  static XYChart of(ExperimentResult result, String samples) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(result.experiment().name())
            .xAxisTitle(samples)
            .yAxisTitle("fraction of samples")
            .build();
    ChartStyle.apply(chart);
    chart
        .getStyler()
        .setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Step)
        .setYAxisMin(0.0)
        .setYAxisMax(1.0)
        .setLegendPosition(LegendPosition.InsideSE);
    for (Arm arm : result.experiment().arms()) {
      List<Double> values = result.pooledSamples(arm, samples).stream().sorted().toList();
      if (!values.isEmpty()) {
        int points = Math.min(values.size(), MOST_POINTS);
        double[] x = new double[points + 1];
        double[] y = new double[points + 1];
        x[0] = values.get(0);
        for (int point = 1; point <= points; point++) {
          int rank = Math.toIntExact((long) values.size() * point / points);
          x[point] = values.get(rank - 1);
          y[point] = rank / (double) values.size();
        }
        chart.addSeries(arm.name(), x, y).setMarker(SeriesMarkers.NONE);
      }
    }
    return chart;
  }
}
