package io.orchestra.hadoop.testbed.bench.report;

import io.orchestra.hadoop.testbed.bench.Curve;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Curves over the time of one trial. */
final class CurveChart {
  private static final int WIDTH = 800;
  private static final int HEIGHT = 400;

  private CurveChart() {}

  /**
   * @param title with the unit of the values
   */
  static XYChart of(String title, List<Curve> curves) {
    XYChart chart =
        new XYChartBuilder().width(WIDTH).height(HEIGHT).title(title).xAxisTitle("seconds").build();
    ChartStyle.apply(chart);
    chart.getStyler().setYAxisMin(0.0).setLegendPosition(LegendPosition.OutsideE);
    for (Curve curve : curves) {
      if (!curve.values().isEmpty()) {
        chart
            .addSeries(curve.name(), curve.seconds(), curve.values())
            .setMarker(SeriesMarkers.NONE);
      }
    }
    return chart;
  }
}
