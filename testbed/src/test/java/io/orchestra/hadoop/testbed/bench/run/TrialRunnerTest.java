package io.orchestra.hadoop.testbed.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.FakeMachine;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import io.orchestra.hadoop.testbed.bench.SampledFigure;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.bench.result.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TrialRunnerTest {
  private static final Trial TRIAL = new Trial(1, 5, false);

  private final FakeMachine machine = new FakeMachine(60, 90);
  private final TrialRunner runner =
      new TrialRunner(machine.sampler(), Optional.of(machine.links()));
  private final List<String> steps = new ArrayList<>();

  @Test
  void preparationInspectionAndCleanupSurroundTheMeasurement() throws Exception {
    TrialResult result = runner.run(arm(false), TRIAL, 2);
    assertThat(steps).containsExactly("prepare", "measure", "inspect", "clean up");
    assertThat(result.position()).isEqualTo(2);
    assertThat(result.figures())
        .containsOnlyKeys(
            "time",
            SampledFigure.CPU_IDLE,
            SampledFigure.BUSIEST_LINK,
            SampledFigure.utilisation("the quiet one"),
            SampledFigure.LINK_VARIATION,
            SampledFigure.SOME_LINK_BUSY);
  }

  @Test
  void whatAnInspectionFindsBelongsToTheMeasurementAndTakesNoTime() throws Exception {
    TrialResult inspected = runner.run(arm(false), TRIAL, 1);
    TrialResult plain = runner.run(Arm.of("stock", arm(false).work()), TRIAL, 1);
    assertThat(inspected.measurement().counters()).containsEntry("pieces", 3L);
    assertThat(inspected.measurement().figures()).containsEntry("time", 1.0);
    assertThat(inspected.seconds()).isEqualTo(plain.seconds());
  }

  @Test
  void failedMeasurementIsCleanedUpAndItsFailureIsTheOneSeen() {
    Arm failing =
        arm(true)
            .cleanedUpBy(
                trial -> {
                  throw new IllegalStateException("nothing to clean up");
                });
    assertThatThrownBy(() -> runner.run(failing, TRIAL, 1))
        .hasMessage("broken")
        .hasSuppressedException(new IllegalStateException("nothing to clean up"));
    assertThat(steps).doesNotContain("inspect");
  }

  @Test
  void missingAndReservedFiguresAreFoundInTheFirstTrial() throws Exception {
    TrialResult result = runner.run(arm(false), TRIAL, 1);
    assertThatThrownBy(() -> required(key("space", "stock")).check(result))
        .hasMessage("key k needs the space of stock, but it measured [time]");
    assertThatThrownBy(() -> required(key("time", "other")))
        .hasMessage("key k needs the time of other, but the arms of loaded are [stock]");
    required(key("time", "stock")).check(result);
    required(key(SampledFigure.BUSIEST_LINK, "stock")).check(result);
    TrialResult reserved =
        runner.run(
            Arm.of(
                "stock", trial -> Measurement.builder().figure(SampledFigure.CPU_IDLE, 1).build()),
            TRIAL,
            1);
    assertThatThrownBy(() -> required(key("time", "stock")).check(reserved))
        .hasMessageContaining("[CPU idle]");
  }

  private RequiredFigures required(RatioKey key) {
    return new RequiredFigures(
        Experiment.of("loaded", "", machine.links(), List.of(arm(false))), List.of(key));
  }

  private static RatioKey key(String figure, String arm) {
    return RatioKey.figure("k", "", "loaded", figure, arm);
  }

  private Arm arm(boolean broken) {
    return Arm.of(
            "stock",
            trial -> {
              steps.add("measure");
              if (broken) {
                throw new IllegalStateException("broken");
              }
              return Measurement.builder().figure("time", 1).build();
            })
        .preparedBy(trial -> steps.add("prepare"))
        .inspectedBy(
            (trial, measurement) -> {
              steps.add("inspect");
              measurement.counter("pieces", 3);
            })
        .cleanedUpBy(trial -> steps.add("clean up"));
  }
}
