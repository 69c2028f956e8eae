package io.orchestra.hadoop.testbed.bench.report;

import com.google.common.base.Ascii;
import com.google.common.base.CharMatcher;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Growth;
import io.orchestra.hadoop.testbed.bench.result.ExperimentResult;
import io.orchestra.hadoop.testbed.bench.result.RunResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * A picture of what was measured.
 *
 * @param experiment the name of the experiment it belongs to; empty if it is of several
 * @param title what it shows
 * @param file relative to the directory of the results
 */
record Plot(Optional<String> experiment, String title, String file, Supplier<Chart<?, ?>> chart) {
  static final String DIRECTORY = "plots";

  private static final CharMatcher NAME =
      CharMatcher.inRange('a', 'z').or(CharMatcher.inRange('0', '9'));

  /**
   * One of each figure, of each list of samples that was measured, of each arm's curves, and of
   * what grows.
   */
  static List<Plot> all(RunResult run) {
    List<Plot> plots = new ArrayList<>();
    for (Growth growth : run.setup().benchmark().growths()) {
      if (GrowthChart.drawable(growth, run.experiments())) {
        plots.add(
            new Plot(
                Optional.empty(),
                growth.title(),
                file("all", "growth", growth.title()),
                () -> GrowthChart.of(growth, run.experiments())));
      }
    }
    for (ExperimentResult result : run.experiments()) {
      Optional<String> of = Optional.of(result.experiment().name());
      String name = result.experiment().name();
      for (String figure : result.figures()) {
        plots.add(
            new Plot(
                of, figure, file(name, "figure", figure), () -> FigureChart.of(result, figure)));
      }
      for (String samples : result.samples()) {
        plots.add(
            new Plot(
                of,
                "distribution of " + samples,
                file(name, "distribution", samples),
                () -> DistributionChart.of(result, samples)));
      }
      for (Arm arm : result.experiment().arms()) {
        result
            .curves(arm)
            .forEach(
                (title, curves) ->
                    plots.add(
                        new Plot(
                            of,
                            title + ", " + arm.name(),
                            file(name, "curves", title + " " + arm.name()),
                            () -> CurveChart.of(title + ", " + arm.name(), curves))));
      }
    }
    return plots;
  }

  private static String file(String experiment, String kind, String title) {
    String name = NAME.negate().trimAndCollapseFrom(Ascii.toLowerCase(title), '-');
    return "%s/%s-%s-%s.svg".formatted(DIRECTORY, experiment, kind, name);
  }

  /** Draws it into its file as SVG. */
  void write(Path directory) {
    Path path = directory.resolve(file);
    // A display, if there is one, is none of our business.
    System.setProperty("java.awt.headless", "true");
    try {
      VectorGraphicsEncoder.saveVectorGraphic(
          chart.get(), path.toString(), VectorGraphicsFormat.SVG);
    } catch (IOException e) {
      throw new TestbedException("cannot write " + path + ": " + e.getMessage(), e);
    }
  }
}
