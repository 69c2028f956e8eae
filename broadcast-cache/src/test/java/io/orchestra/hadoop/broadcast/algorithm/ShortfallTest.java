package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.algorithm.Shortfall.Remedy;
import org.junit.jupiter.api.Test;

final class ShortfallTest {
  private static final long LIMIT = 100;
  private static final long BEGUN = 5_000;

  private final Shortfall shortfall = new Shortfall(LIMIT, BEGUN);

  @Test
  void aSwarmThatKeepsUpIsComparedEverMoreRarely() {
    assertThat(after(99, 10_000)).isEqualTo(Remedy.NOTHING);
    assertThat(after(100, 10_000)).isEqualTo(Remedy.SAMPLE);
    shortfall.read(10, 1, 3, 1);
    assertThat(after(101, 10_000)).isEqualTo(Remedy.NOTHING);
    assertThat(after(199, 10_000)).isEqualTo(Remedy.NOTHING);
    assertThat(after(200, 10_000)).isEqualTo(Remedy.SAMPLE);
    assertThat(after(399, 10_000)).isEqualTo(Remedy.NOTHING);
    assertThat(after(400, 10_000)).isEqualTo(Remedy.SAMPLE);
  }

  @Test
  void whatComesLaterThanFromHdfsByTheLimitIsReadUntilSomethingIsInHand() {
    shortfall.read(10, 1, 3, 1);
    assertThat(after(150, 500)).isEqualTo(Remedy.SAMPLE);
    assertThat(after(151, 500)).isEqualTo(Remedy.ALL);
    assertThat(after(152, 1_010)).isEqualTo(Remedy.ALL);
    assertThat(after(153, 1_030)).isEqualTo(Remedy.NOTHING);
  }

  @Test
  void whenNothingComesItIsReadBeforeTheLimit() {
    assertThat(shortfall.remedy(BEGUN + 20, 0, 20)).isEqualTo(Remedy.NOTHING);
    assertThat(shortfall.remedy(BEGUN + 51, 0, 51)).isEqualTo(Remedy.ALL);
    shortfall.read(10, 1, 3, 1);
    assertThat(shortfall.remedy(BEGUN + 70, 190, 70)).isEqualTo(Remedy.ALL);
    assertThat(shortfall.remedy(BEGUN + 71, 210, 1)).isEqualTo(Remedy.NOTHING);
  }

  @Test
  void fromHdfsAllOthersWouldReadTheSameReplicas() {
    shortfall.read(10, 1, 3, 30);
    assertThat(after(150, 50)).isEqualTo(Remedy.SAMPLE);
    assertThat(after(151, 50)).isEqualTo(Remedy.ALL);
    assertThat(after(152, 52)).isEqualTo(Remedy.ALL);
    assertThat(after(153, 104)).isEqualTo(Remedy.NOTHING);
  }

  private Remedy after(long elapsed, long arrived) {
    return shortfall.remedy(BEGUN + elapsed, arrived, 0);
  }
}
