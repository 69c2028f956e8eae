package io.orchestra.hadoop.testbed.bench.placement;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.process.Command;
import java.time.Duration;
import java.util.List;

/** A write-heavy MapReduce job: TeraGen as it is. */
final class JobRun {
  static final String SECONDS = "job [s]";
  private static final int ROW_BYTES = 100;
  private static final String OUTPUT = PlacementTestbed.DIRECTORY + "/out";
  private static final Duration LONGEST_CHECKSUM = Duration.ofMinutes(2);

  private final PlacementTestbed testbed;
  private String firstChecksum = "";

  JobRun(PlacementTestbed testbed) {
    this.testbed = testbed;
  }

  /** Runs the job and compares its output with that of the first run. */
  void run(List<String> writers, Measurement.Builder measurement) {
    HadoopClient client = HadoopClient.onFirstMaster(testbed.cluster(), Account.ALICE);
    long start = System.nanoTime();
    Command.Outcome outcome =
        client
            .hadoop(
                List.of(
                    "jar",
                    "examples",
                    "teragen",
                    "-Dmapreduce.job.maps=" + Sizes.JOB_MAPS,
                    Long.toString(Sizes.JOB_BYTES / ROW_BYTES),
                    OUTPUT))
            .run();
    if (!outcome.succeeded()) {
      throw new TestbedException("teragen failed:\n" + outcome.error());
    }
    measurement.figure(SECONDS, (System.nanoTime() - start) / 1e9);
    String checksum = testbed.agents().master("checksum " + OUTPUT, "checksum ", LONGEST_CHECKSUM);
    if (firstChecksum.isEmpty()) {
      firstChecksum = checksum;
    }
    measurement.check(
        "the output is that of all other runs", checksum.equals(firstChecksum), checksum);
  }
}
