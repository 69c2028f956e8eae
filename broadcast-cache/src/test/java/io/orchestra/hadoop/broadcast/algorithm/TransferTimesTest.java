package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class TransferTimesTest {
  private final TransferTimes<String> times = new TransferTimes<>();

  @Test
  void ofEachDirectionTheMedianCountsAndOfBothTheGeometricMean() {
    times.add("a", "b", 90);
    times.add("a", "b", 100);
    times.add("a", "b", 5000);
    times.add("b", "a", 400);

    assertThat(times.symmetric()[0][1]).isCloseTo(200, within(1e-9));
    assertThat(times.symmetric()[1][0]).isEqualTo(times.symmetric()[0][1]);
  }

  @Test
  void oneDirectionIsEnough() {
    times.add("a", "b", 100);
    times.add("a", "b", 300);

    assertThat(times.symmetric()[0][1]).isCloseTo(200, within(1e-9));
  }

  @Test
  void whatWasNotSeenIsUnknown() {
    times.add("a", "b", 100);
    times.add("c", "b", 100);

    assertThat(times.peers()).containsExactly("b", "a", "c");
    assertThat(times.symmetric()[1][2]).isNaN();
    assertThat(times.symmetric()[0][0]).isNaN();
  }

  @Test
  void oldTimesAreForgotten() {
    for (int i = 0; i < 100; i++) {
      times.add("a", "b", 1000);
    }
    for (int i = 0; i < 9; i++) {
      times.add("a", "b", 10 + i);
    }

    assertThat(times.symmetric()[0][1]).isCloseTo(14, within(1e-9));
  }

  @Test
  void theLatestSendersAndReceiversAreRemembered() {
    for (int peer = 0; peer < 2000; peer++) {
      times.add("s" + peer, "r", 100);
    }
    times.add("s1500", "r", 100);

    assertThat(times.peers())
        .hasSize(1 + 64)
        .contains("r", "s1500", "s1999")
        .doesNotContain("s1000");

    for (int peer = 0; peer < 2000; peer++) {
      times.add("s", "r" + peer, 100);
    }

    assertThat(times.peers()).hasSize(1000).contains("r1999").doesNotContain("r", "r999");
  }

  @Test
  void thereAreNoMorePeersThanReceiversThatAreRemembered() {
    for (int peer = 0; peer < 600; peer++) {
      times.add("s" + peer, "r" + peer, 100);
    }

    assertThat(times.peers()).hasSize(1000).contains("r0", "r599", "s399").doesNotContain("s400");
    assertThat(times.symmetric()).hasDimensions(1000, 1000);
  }

  @Test
  void aCopyStaysAsItIs() {
    times.add("a", "b", 100);
    TransferTimes<String> copy = times.copy();

    times.add("a", "b", 300);
    times.add("a", "c", 100);

    assertThat(copy.symmetric()).hasDimensions(2, 2);
    assertThat(copy.symmetric()[0][1]).isCloseTo(100, within(1e-9));
  }

  @Test
  void impossibleTimesAreRefused() {
    assertThatThrownBy(() -> times.add("a", "a", 100)).hasMessageContaining("a sends to itself");
    assertThatThrownBy(() -> times.add("a", "b", 0)).hasMessageContaining("0.0 ms from a to b");
    assertThatThrownBy(() -> times.add("a", "b", Double.NaN)).hasMessageContaining("NaN");
    assertThat(times.peers()).isEmpty();
  }
}
