package io.orchestra.hadoop.broadcast.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.algorithm.RackInference;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LearnedRacksTest {
  private final LearnedRacks racks = new LearnedRacks(new RackInference(new Random(1)));

  @Test
  void everySwarmTeachesUntilTwoRacksAreKnownThenOneOfEight() {
    assertThat(teaching(100)).isEqualTo(100);

    learn();

    assertThat(teaching(80)).isEqualTo(10);
  }

  @Test
  void everySwarmTeachesWhileAllSeemToShareARack() {
    for (int from = 0; from < 12; from++) {
      for (int to = 0; to < 12; to++) {
        racks.learn("" + from, "" + to, 1 << 20, 200 + from + to);
      }
    }
    racks.infer();

    assertThat(racks.racks()).hasSize(12);
    assertThat(racks.racks().values()).containsOnly(0);
    assertThat(teaching(80)).isEqualTo(80);
  }

  private long teaching(int swarms) {
    return IntStream.range(0, swarms).filter(swarm -> racks.nextTeaches()).count();
  }

  @Test
  void peersAreApartIfTheyAreKnownToBeInDifferentRacks() {
    assertThat(racks.apart("0", "1")).isFalse();

    learn();

    assertThat(racks.apart("0", "1")).isTrue();
    assertThat(racks.apart("0", "2")).isFalse();
    assertThat(racks.apart("0", "a stranger")).isFalse();
  }

  @Test
  void timesThatCannotBeAreIgnored() {
    racks.learn("0", "0", 1, 1);
    racks.learn("0", "1", 0, 1);
    racks.learn("0", "1", 1, -1);
    racks.learn("0", "1", 1, Double.NaN);
    racks.infer();

    assertThat(racks.racks()).isEmpty();
  }

  @Test
  void howManyBytesATimeIsOfDoesNotMatter() {
    learn();

    assertThat(racks.racks().values().stream().distinct()).hasSize(2);
  }

  /** Two racks of six, 200 and 800 ms a mebibyte, seen with pieces of different lengths. */
  private void learn() {
    for (int from = 0; from < 12; from++) {
      for (int to = 0; to < 12; to++) {
        int mebibytes = 1 + (from + to) % 3;
        double millis = from % 2 == to % 2 ? 200 + from + to : 800 + from + to;
        racks.learn("" + from, "" + to, (long) mebibytes << 20, mebibytes * millis);
      }
    }
    racks.infer();
  }
}
