package io.orchestra.hadoop.testbed.bench.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.BenchRun;
import io.orchestra.hadoop.testbed.bench.Check;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.Versions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class SchedulerProgramIT {
  /** A quick one, of which no experiment is run. */
  private record QuickRun(TestbedHome home) implements BenchRun {
    @Override
    public BenchOptions options() {
      return new BenchOptions(Versions.ofThisBuild().hadoop(), 1, true, 1, Path.of("/results"));
    }

    @Override
    public Project project() {
      return new Project(
          Path.of("..").toAbsolutePath().normalize(), Versions.ofThisBuild().orchestra());
    }

    @Override
    public Progress progress() {
      return Progress.onStandardError();
    }

    @Override
    public void experiment(Experiment experiment) {
      throw new AssertionError("nobody runs it");
    }
  }

  private final QuickRun run = new QuickRun(TestbedHome.fromEnvironmentOrOwn());

  @Test
  void predictionsRunOnTheJarsOfARelease() throws Exception {
    run.home().prepareDirectories();
    Experiment experiment = new PredictionRun(run.options(), SchedulerProgram.of(run)).experiment();

    assertMeasured(experiment.arms().get(0), PredictionRun.MILLIS);
  }

  @Test
  void nodeUpdatesRunOnTheJarsOfARelease() throws Exception {
    run.home().prepareDirectories();
    Experiment experiment = new NodeUpdateRun(run.options(), SchedulerProgram.of(run)).experiment();

    assertMeasured(experiment.arms().get(0), NodeUpdateRun.micros("FlexFetch"));
  }

  private static void assertMeasured(Arm arm, String figure) throws Exception {
    Measurement measurement = arm.work().measure(new Trial(1, 1, false));

    assertThat(measurement.figures()).containsKey(figure);
    assertThat(measurement.checks()).isNotEmpty().allMatch(Check::passed);
  }
}
