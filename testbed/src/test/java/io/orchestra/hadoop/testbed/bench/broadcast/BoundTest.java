package io.orchestra.hadoop.testbed.bench.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.orchestra.hadoop.testbed.network.Rate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BoundTest {
  private static final Rate RATE = Rate.parse("80mbit");

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 2", "4, 3", "7, 3", "8, 4", "12, 4", "15, 4", "16, 5", "20, 5"})
  void hostsThatHaveAPieceAtMostDoubleInARound(int receivers, int rounds) {
    assertThat(new Bound(1, receivers, RATE).rounds()).isEqualTo(rounds);
  }

  @Test
  void oneReceiverNeedsWhatTheLinkNeeds() {
    assertThat(new Bound(40_000_000, 1, RATE).seconds()).isCloseTo(4, within(1e-9));
  }

  @Test
  void fileOfOnePieceIsPassedOnWhole() {
    Bound bound = new Bound(50_000, 12, RATE);
    assertThat(bound.pieces()).isEqualTo(1);
    assertThat(bound.seconds()).isCloseTo(4 * 0.005, within(1e-9));
  }

  @Test
  void piecesOverlap() {
    // 611 pieces and 4 rounds.
    assertThat(new Bound(40_000_000, 12, RATE).seconds()).isCloseTo(4 * 614 / 611.0, within(1e-9));
  }

  @Test
  void measurementHasItInSecondsAndInTimesOfTheLink() {
    assertThat(new Bound(50_000, 12, RATE).measurement().figures())
        .containsEntry(Reception.TO_LINK, 4.0)
        .hasEntrySatisfying(
            Reception.LAST, seconds -> assertThat(seconds).isCloseTo(0.02, within(1e-9)));
  }

  @Test
  void linkWithoutARateHasNoBound() {
    assertThatThrownBy(() -> new Bound(1, 1, Rate.UNLIMITED)).hasMessageContaining("unlimited");
  }
}
