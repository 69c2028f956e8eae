package io.orchestra.hadoop.testbed.bench.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orchestra.hadoop.testbed.bench.Links;
import io.orchestra.hadoop.testbed.bench.SampledFigure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class UsageTest {
  private static final Offset<Double> EXACT = within(1e-9);
  private static final Optional<Links> LINKS =
      Optional.of(
          Links.of(Map::of, Map.of("a", 100.0, "b", 200.0)).withGroup("small", List.of("a")));

  @Test
  void utilisationIsBytesByCapacityAndTimeOfTheWholeTrial() {
    Usage usage = Usage.of(List.of(at(0, 0, 0), at(1, 90, 20), at(4, 120, 320)), LINKS);
    assertThat(usage.linkUtilisation().get("a")).isCloseTo(120 / 400.0, EXACT);
    assertThat(usage.linkUtilisation().get("b")).isCloseTo(320 / 800.0, EXACT);
    assertThat(usage.figures().get(SampledFigure.BUSIEST_LINK)).isCloseTo(0.4, EXACT);
    assertThat(usage.figures().get("utilisation of small")).isCloseTo(0.3, EXACT);
  }

  @Test
  void variationIsTheMedianOfThatOfTheSeconds() {
    // Utilisations (0.9, 0.1), (0, 0) and (0.4, 0.4): 0.4 / 0.5, left out, and 0.
    Usage usage =
        Usage.of(List.of(at(0, 0, 0), at(1, 90, 20), at(2, 90, 20), at(3, 130, 100)), LINKS);
    assertThat(usage.figures().get(SampledFigure.LINK_VARIATION)).isCloseTo(0.4, EXACT);
  }

  @Test
  void someLinkIsBusyInTheSecondsInWhichOneIsWhicheverThatIs() {
    // Utilisations (0.9, 0.1), (0.2, 0.8), (0.5, 0.7) and (0, 0).
    Usage usage =
        Usage.of(
            List.of(at(0, 0, 0), at(1, 90, 20), at(2, 110, 180), at(3, 160, 320), at(4, 160, 320)),
            LINKS);
    assertThat(usage.figures().get(SampledFigure.SOME_LINK_BUSY)).isCloseTo(0.5, EXACT);
  }

  @Test
  void shortRestAtTheEndDoesNotCountForVariation() {
    Usage usage = Usage.of(List.of(at(0, 0, 0), at(1, 90, 20), at(1.1, 90, 40)), LINKS);
    assertThat(usage.figures().get(SampledFigure.LINK_VARIATION)).isCloseTo(0.8, EXACT);
  }

  @Test
  void idleIsThePartOfTheTicks() {
    Usage usage =
        Usage.of(
            List.of(
                new Snapshot(0, new CpuTimes(100, 1000), Map.of()),
                new Snapshot(1, new CpuTimes(130, 1040), Map.of())),
            Optional.empty());
    assertThat(usage.figures()).containsOnly(Map.entry(SampledFigure.CPU_IDLE, 0.75));
    assertThat(usage.linkUtilisation()).isEmpty();
  }

  @Test
  void noTimeGivesNoFigures() {
    assertThat(Usage.of(List.of(at(1, 0, 0), at(1, 0, 0)), LINKS).figures()).isEmpty();
  }

  private static Snapshot at(double seconds, long a, long b) {
    return new Snapshot((long) (seconds * 1e9), new CpuTimes(0, 0), Map.of("a", a, "b", b));
  }
}
