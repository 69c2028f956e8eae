package io.orchestra.hadoop.testbed.bench.gridmix;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.trace.TraceJob;
import java.util.List;
import java.util.Map;

/** All jobs of a trace under one policy, and how they fared. */
final class GridmixRun {
  private static final String ACROSS = "bytes that left racks [MB]";
  private static final String LOCALIZATION = "mean localization of a container [s]";

  private final GridmixTestbed testbed;
  private final String policy;
  private final List<TraceJob> jobs;
  private final JobFigures figures;
  private long began;

  /**
   * @param policy as GridMix calls it
   * @param jobs of the trace, in its order
   * @param signatures what jobs have read and written, of all runs of this benchmark
   */
  GridmixRun(
      GridmixTestbed testbed, String policy, List<TraceJob> jobs, Map<Integer, String> signatures) {
    this.testbed = testbed;
    this.policy = policy;
    this.jobs = jobs;
    this.figures = new JobFigures(SizeBin.of(jobs), signatures);
  }

  Arm arm(Way way) {
    return Arm.of(way.title(), this::measure)
        .preparedBy(trial -> testbed.use(way))
        .inspectedBy((trial, measurement) -> inspect(way, measurement));
  }

  private Measurement measure(Trial trial) {
    began = System.currentTimeMillis();
    long before = testbed.acrossRacks();
    Map<String, Double> usedBefore = testbed.processorTimes();
    testbed.run(policy, trial.seed());
    Measurement.Builder measurement =
        Measurement.builder().figure(ACROSS, (testbed.acrossRacks() - before) / 1e6);
    testbed
        .processorTimes()
        .forEach(
            (kind, seconds) ->
                measurement.figure(
                    "processor time of %ss [s]".formatted(kind),
                    seconds - usedBefore.getOrDefault(kind, 0.0)));
    return measurement.build();
  }

  private void inspect(Way way, Measurement.Builder measurement) {
    // Before anything else is asked that would move bytes or blocks.
    PluginWork work = testbed.pluginWork();
    figures.addTo(measurement, testbed.ended(began, jobs.size()));
    List<Double> localizations = testbed.localizations(testbed.start());
    measurement.figure(LOCALIZATION, JobFigures.mean(localizations));
    measurement.samples("localizations [s]", localizations);
    work.addTo(measurement, way.plugins(), PluginWork.neededBy(jobs));
    long copied = testbed.blocksCopied();
    measurement.check("HDFS copied no block by itself", copied == 0, copied + " blocks");
  }
}
