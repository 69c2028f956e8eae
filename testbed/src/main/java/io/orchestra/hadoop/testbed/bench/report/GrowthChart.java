package io.orchestra.hadoop.testbed.bench.report;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Growth;
import io.orchestra.hadoop.testbed.bench.result.ExperimentResult;
import io.orchestra.hadoop.testbed.bench.result.Summary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;

/** A line for each arm: the medians of a figure in several experiments. */
final class GrowthChart {
  private static final int WIDTH = 800;
  private static final int HEIGHT = 400;

  private GrowthChart() {}

  /** Whether some arm has a figure in more than one of the experiments. */
  static boolean drawable(Growth growth, List<ExperimentResult> results) {
    return medians(growth, results).values().stream().anyMatch(line -> line.size() > 1);
  }

  static XYChart of(Growth growth, List<ExperimentResult> results) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(growth.title())
            .xAxisTitle(growth.axis())
            .yAxisTitle(growth.figure())
            .build();
    ChartStyle.apply(chart);
    chart.getStyler().setXAxisMin(0.0).setYAxisMin(0.0).setLegendPosition(LegendPosition.OutsideE);
    medians(growth, results)
        .forEach(
            (arm, line) ->
                chart.addSeries(arm, List.copyOf(line.keySet()), List.copyOf(line.values())));
    return chart;
  }

  /** Of each arm, by what its experiments have of what grows. */
  private static Map<String, SortedMap<Integer, Double>> medians(
      Growth growth, List<ExperimentResult> results) {
    Map<String, SortedMap<Integer, Double>> lines = new LinkedHashMap<>();
    for (ExperimentResult result : results) {
      Integer grown = growth.experiments().get(result.experiment().name());
      if (grown == null) {
        continue;
      }
      for (Arm arm : result.experiment().arms()) {
        List<Double> values = result.values(arm, growth.figure());
        if (!values.isEmpty()) {
          lines
              .computeIfAbsent(arm.name(), any -> new TreeMap<>())
              .put(grown, Summary.of(values).median());
        }
      }
    }
    return lines;
  }
}
