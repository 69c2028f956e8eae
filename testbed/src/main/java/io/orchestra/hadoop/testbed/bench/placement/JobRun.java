package io.orchestra.hadoop.testbed.bench.placement;

import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.SameOutput;
import java.util.List;

/** A write-heavy MapReduce job: TeraGen as it is. */
final class JobRun {
  static final String SECONDS = "job [s]";
  private static final int ROW_BYTES = 100;
  private static final String OUTPUT = PlacementTestbed.DIRECTORY + "/out";

  private final PlacementTestbed testbed;
  private final SameOutput same = new SameOutput();

  JobRun(PlacementTestbed testbed) {
    this.testbed = testbed;
  }

  /** Runs the job and compares its output with that of the first run. */
  void run(List<String> writers, Measurement.Builder measurement) {
    long start = System.nanoTime();
    String unused =
        testbed
            .bench()
            .runJob(
                List.of(
                    "jar",
                    "examples",
                    "teragen",
                    "-Dmapreduce.job.maps=" + Sizes.JOB_MAPS,
                    Long.toString(Sizes.JOB_BYTES / ROW_BYTES),
                    OUTPUT));
    measurement.figure(SECONDS, (System.nanoTime() - start) / 1e9);
    same.check(measurement, testbed.bench().checksum(OUTPUT));
  }
}
