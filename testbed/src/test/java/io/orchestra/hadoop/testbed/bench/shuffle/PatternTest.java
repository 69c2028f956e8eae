package io.orchestra.hadoop.testbed.bench.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PatternTest {
  @Test
  void figure8NeedsFourUnitsOnEachOfThreeLinks() {
    Pattern figure8 = Pattern.figure8(100);

    assertThat(figure8.bottleneck()).isEqualTo(400_000_000);
    assertThat(figure8.demand(0)).isEqualTo("50000000,0");
    assertThat(figure8.demand(4)).isEqualTo("50000000,50000000");
  }

  @Test
  void aHotHostIsTheBottleneck() {
    assertThat(Pattern.hotHost(30).bottleneck()).isEqualTo(360_000_000);
  }

  @Test
  void outputsOnDiskAreThoseOfFigure8() {
    assertThat(Pattern.figure8OnDisk(100).senders()).isEqualTo(Pattern.figure8(100).senders());
  }

  @Test
  void aBalancedSortSendsFourFifthsOfEachHostsRowsOverItsLink() {
    Pattern balanced = Pattern.balanced(20);

    assertThat(balanced.reducers()).isEqualTo(5);
    assertThat(balanced.bottleneck()).isEqualTo(4 * 20_800_000);
    assertThat(balanced.fileBytes(0)).isEqualTo(50_000_000);
    assertThat(Pattern.figure8(100).fileBytes(0)).isEqualTo(1);
  }

  @Test
  void skewedSizesAreTheSameForTheSameSeed() {
    assertThat(Pattern.skewed(50, 7)).isEqualTo(Pattern.skewed(50, 7));
    assertThat(Pattern.skewed(50, 7)).isNotEqualTo(Pattern.skewed(50, 8));
  }
}
