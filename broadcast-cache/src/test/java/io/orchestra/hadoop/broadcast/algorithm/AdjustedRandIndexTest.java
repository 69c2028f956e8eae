package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class AdjustedRandIndexTest {
  @Test
  void namesOfGroupsDoNotMatter() {
    assertThat(AdjustedRandIndex.of(new int[] {0, 0, 1, 1, 2}, new int[] {7, 7, 5, 5, 1}))
        .isEqualTo(1);
  }

  @Test
  void aKnownValueIsMet() {
    // Of ten pairs four are together in the one, two in the other, one in both: 0.2 / 2.2.
    assertThat(AdjustedRandIndex.of(new int[] {0, 0, 0, 1, 1}, new int[] {0, 0, 1, 1, 2}))
        .isCloseTo(0.2 / 2.2, within(1e-12));
  }

  @Test
  void onePeerTooManyInAGroupOfItsOwnIsNoAgreementWithOneGroup() {
    assertThat(AdjustedRandIndex.of(new int[] {0, 0, 0, 0}, new int[] {0, 0, 0, 1})).isEqualTo(0);
    assertThat(AdjustedRandIndex.of(new int[] {0, 0, 0}, new int[] {1, 1, 1})).isEqualTo(1);
  }

  @Test
  void chanceAgreesWithNothing() {
    Random random = new Random(1);
    int[] one = random.ints(2000, 0, 5).toArray();
    int[] other = random.ints(2000, 0, 5).toArray();

    assertThat(AdjustedRandIndex.of(one, other)).isCloseTo(0, within(0.01));
  }
}
