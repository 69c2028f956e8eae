package io.orchestra.hadoop.testbed.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import org.knowm.xchart.internal.chartpart.AxesChart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.lines.SeriesLines;

/** What all charts look like. */
final class ChartStyle {
  /** Told apart by the colour-blind too: the palette of Okabe and Ito, 2008. */
  private static final Color[] SERIES = {
    new Color(0x0072B2),
    new Color(0xD55E00),
    new Color(0x009E73),
    new Color(0xCC79A7),
    new Color(0xE69F00),
    new Color(0x56B4E9),
    Color.BLACK
  };

  private ChartStyle() {}

  static void apply(AxesChart<? extends AxesChartStyler, ?> chart) {
    chart.getStyler().setSeriesColors(SERIES);
    // Each dash would be a shape of its own in the file.
    chart.getStyler().setSeriesLines(new BasicStroke[] {SeriesLines.SOLID});
    chart.getStyler().setPlotGridLinesStroke(SeriesLines.SOLID);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
  }
}
