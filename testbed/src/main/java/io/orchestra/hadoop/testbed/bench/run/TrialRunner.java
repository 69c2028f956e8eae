package io.orchestra.hadoop.testbed.bench.run;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Links;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.bench.result.TrialResult;
import io.orchestra.hadoop.testbed.bench.sample.Sampler;
import io.orchestra.hadoop.testbed.bench.sample.Sampling;
import io.orchestra.hadoop.testbed.bench.sample.Usage;
import java.util.Optional;

/**
 * Runs one trial: prepares it, measures while processors and links are sampled, inspects what came
 * of it, cleans up.
 */
record TrialRunner(Sampler sampler, Optional<Links> links) {

  TrialResult run(Arm arm, Trial trial, int position) throws Exception {
    try (AutoCloseable ignored = () -> arm.cleanup().run(trial)) {
      arm.preparation().run(trial);
      TrialResult measured = measure(arm, trial, position);
      Measurement.Builder more = measured.measurement().toBuilder();
      arm.inspection().inspect(trial, more);
      return measured.with(more.build());
    }
  }

  private TrialResult measure(Arm arm, Trial trial, int position) throws Exception {
    try (Sampling sampling = sampler.start(links)) {
      long start = sampler.nanoTime().getAsLong();
      Measurement measurement = arm.work().measure(trial);
      double seconds = (sampler.nanoTime().getAsLong() - start) / 1e9;
      Usage usage = sampling.finish(measurement.window());
      return new TrialResult(arm.name(), trial, position, seconds, measurement, usage);
    }
  }
}
