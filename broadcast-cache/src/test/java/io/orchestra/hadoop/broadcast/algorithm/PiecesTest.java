package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PiecesTest {
  @ParameterizedTest
  @CsvSource({
    "1, 65536",
    "8388608, 65536",
    "40000000, 65536",
    "41943040, 131072",
    "1342177279, 2097152",
    "1342177280, 4194304",
    "34359738368, 4194304"
  })
  void aFileHasThreeHundredToSixHundredUnlessTheyWouldBeTooShortOrTooLong(long file, int piece) {
    assertThat(Pieces.length(file)).isEqualTo(piece);
    assertThat(Pieces.possible(piece)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0", "-65536", "32768", "65537", "98304", "33554432"})
  void othersAreNotPossible(long bytes) {
    assertThat(Pieces.possible(bytes)).isFalse();
  }
}
