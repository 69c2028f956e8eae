package io.orchestra.hadoop.testbed.bench.result;

import static io.orchestra.hadoop.testbed.bench.result.Results.PLUGIN;
import static io.orchestra.hadoop.testbed.bench.result.Results.STOCK;
import static io.orchestra.hadoop.testbed.bench.result.Results.experiment;
import static io.orchestra.hadoop.testbed.bench.result.Results.trial;
import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import java.util.List;
import org.junit.jupiter.api.Test;

final class VerificationTest {
  @Test
  void busyLinksIdleProcessorsAndPassedChecksAreVerified() {
    assertThat(
            reasons(
                experiment(
                    STOCK, PLUGIN, trial("stock", 1, 1, 0.25, 0.8), trial("plugin", 1, 1, 1, 1))))
        .isEmpty();
  }

  @Test
  void ofTheBusiestLinkTheMedianOverRepetitionsCounts() {
    assertThat(
            reasons(
                experiment(
                    STOCK,
                    PLUGIN,
                    trial("stock", 1, 1, 0.3, 0.7),
                    trial("stock", 2, 1, 0.3, 0.9),
                    trial("stock", 3, 1, 0.3, 0.9),
                    trial("plugin", 1, 1, 0.3, 0.9))))
        .isEmpty();
  }

  @Test
  void processorsMustBeIdleInEachTrial() {
    assertThat(
            reasons(
                experiment(
                    STOCK,
                    PLUGIN,
                    trial("stock", 1, 1, 0.9, 0.9),
                    trial("stock", 2, 1, 0.1, 0.9),
                    trial("stock", 3, 1, 0.9, 0.9),
                    trial("plugin", 1, 1, 0.3, 0.9))))
        .containsExactly(
            "loaded, stock, repetition 2: idle time of the processors is 10.0 %, below 25 %");
  }

  @Test
  void eachDemandThatIsNotMetIsNamed() {
    assertThat(
            reasons(
                experiment(
                    STOCK,
                    PLUGIN,
                    trial("stock", 1, 1, 0.24, 0.9),
                    trial("plugin", 1, 1, 0.5, 0.79))))
        .containsExactly(
            "loaded, stock, repetition 1: idle time of the processors is 24.0 %, below 25 %",
            "loaded, plugin: median utilisation of the busiest link is 79.0 %, below 80 %");
  }

  @Test
  void armsThatSayWhyNeedNotMeetDemands() {
    assertThat(
            reasons(
                experiment(
                    STOCK.withoutIdleCpu("it computes"),
                    PLUGIN.withoutBusyLink("it reads from memory"),
                    trial("stock", 1, 1, 0, 0.9),
                    trial("plugin", 1, 1, 0.5, 0))))
        .isEmpty();
  }

  @Test
  void armsWhoseProcessorsWereIdleForLessThanIsAmpleAreNamed() {
    assertThat(
            Verification.busyProcessors(
                List.of(
                    experiment(
                        STOCK,
                        PLUGIN,
                        trial("stock", 1, 1, 0.60, 0.9),
                        trial("plugin", 1, 1, 0.7, 0.9),
                        trial("plugin", 2, 1, 0.5, 0.9),
                        trial("plugin", 3, 1, 0.5, 0.9)),
                    experiment(
                        STOCK.withoutIdleCpu("it computes"),
                        PLUGIN,
                        trial("stock", 1, 1, 0.1, 0.9),
                        trial("plugin", 1, 1, 0.9, 0.9)))))
        .containsExactly("loaded, plugin: 50 %");
  }

  @Test
  void failedCheckIsNamedWithItsRepetition() {
    Measurement wrong =
        Measurement.builder()
            .check("files", true, "all there")
            .check("bytes", false, "3 differ")
            .build();
    assertThat(
            reasons(
                experiment(
                    STOCK,
                    PLUGIN,
                    trial("stock", 1, 1, 0.5, 0.9),
                    trial("plugin", 1, wrong, 0.5, 0.9))))
        .containsExactly("loaded, plugin, repetition 1: bytes: 3 differ");
  }

  @Test
  void whatWasNotCheckedMeasuredOrRunIsNotVerified() {
    Measurement unchecked = Measurement.builder().build();
    assertThat(reasons(experiment(STOCK, PLUGIN, trial("stock", 1, unchecked, 0.5, 0.9))))
        .containsExactly(
            "loaded, stock, repetition 1: nothing was checked", "loaded, plugin: not measured");
    KeyResult missing =
        KeyResult.of(
            RatioKey.figure("k", "", "other", "time", "stock"), Results.OPTIONS, List.of());
    assertThat(Verification.reasons(List.of(), List.of(missing)))
        .containsExactly("no experiment was run", "key k: no repetition measured it");
  }

  private static List<String> reasons(ExperimentResult result) {
    return Verification.reasons(List.of(result), List.of());
  }
}
