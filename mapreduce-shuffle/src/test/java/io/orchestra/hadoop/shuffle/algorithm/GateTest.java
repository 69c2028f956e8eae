package io.orchestra.hadoop.shuffle.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class GateTest {
  private static final Gate GATE = Gate.HOT_SENDER;

  @Test
  void isClosedWhileNothingIsKnown() {
    assertThat(GATE.isOpen(new Demand(List.of(), 4))).isFalse();
  }

  @Test
  void isClosedWhenAllSendersHaveTheSame() {
    assertThat(GATE.isOpen(demand(10, 10, 10, 10))).isFalse();
  }

  @Test
  void isOpenWhenAHotSenderHasMoreThanTwiceTheMeanForThisReducer() {
    assertThat(GATE.isOpen(demand(10, 10, 10, 31))).isTrue();
    assertThat(GATE.isOpen(demand(10, 10, 10, 30))).isFalse();
  }

  @Test
  void isClosedWhenThatSenderIsNotHot() {
    // It has 31 bytes, and another one 63.
    List<Share> senders = List.of(new Share(1, 63), new Share(1, 1), new Share(31, 31));
    assertThat(GATE.isOpen(new Demand(senders, 4))).isFalse();
  }

  @Test
  void isClosedWhenTheHotSenderHasLittleForThisReducer() {
    List<Share> senders = List.of(new Share(1, 100), new Share(1, 1), new Share(1, 1));
    assertThat(GATE.isOpen(new Demand(senders, 4))).isFalse();
  }

  @Test
  void isOpenInFigure8() {
    List<Share> senders =
        List.of(
            new Share(1, 1), new Share(1, 1), new Share(2, 4), new Share(0, 1), new Share(0, 1));
    assertThat(GATE.isOpen(new Demand(senders, 2))).isTrue();
  }

  /** Senders with data for one of four reducers only. */
  private static Demand demand(long... bytes) {
    return new Demand(
        IntStream.range(0, bytes.length)
            .mapToObj(sender -> new Share(bytes[sender], bytes[sender]))
            .toList(),
        4);
  }
}
