package io.orchestra.hadoop.prefetch.algorithm.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class FinishedMapsTest {
  private final FinishedMaps finished = new FinishedMaps();

  @Test
  void nothingIsKnownBeforeTheFirst() {
    assertThat(finished.model()).isEmpty();
  }

  @Test
  void mapsOfOneSizeForetellTheirMeanAndAShorterOneInProportion() {
    finished.add(100, 8);
    finished.add(100, 12);

    LinearModel model = finished.model().orElseThrow();
    assertThat(model.seconds(100)).isCloseTo(10, within(1e-9));
    assertThat(model.seconds(50)).isCloseTo(5, within(1e-9));
  }

  @Test
  void mapsOfManySizesForetellALine() {
    for (int size = 1; size <= 5; size++) {
      finished.add(100L * size, 3 + 2.0 * size);
    }

    LinearModel model = finished.model().orElseThrow();
    assertThat(model.beta()).isCloseTo(3, within(1e-9));
    assertThat(model.seconds(1000)).isCloseTo(23, within(1e-9));
  }

  @Test
  void mapsWithoutInputForetellTheirMean() {
    finished.add(0, 4);
    finished.add(0, 6);

    assertThat(finished.model().orElseThrow().seconds(0)).isCloseTo(5, within(1e-9));
  }

  @Property
  void noModelForetellsANegativeTime(
      @ForAll @Size(min = 1, max = 20) List<@LongRange(min = 0, max = 1L << 40) Long> inputs,
      @ForAll @DoubleRange(min = 0, max = 1e5) double base,
      @ForAll @LongRange(min = 0, max = 1L << 40) long asked) {
    FinishedMaps finished = new FinishedMaps();
    for (long input : inputs) {
      finished.add(input, base + (input % 1000) / 10.0);
    }

    assertThat(finished.model().orElseThrow().seconds(asked)).isNotNegative();
  }
}
