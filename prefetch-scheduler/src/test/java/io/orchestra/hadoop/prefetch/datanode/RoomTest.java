package io.orchestra.hadoop.prefetch.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RoomTest {
  private final Room room = new Room(100, 60);

  @Test
  void nobodyTakesMoreThanItsPart() {
    assertThat(room.take("one", 60)).isTrue();
    assertThat(room.take("one", 1)).isFalse();
    assertThat(room.take("another", 41)).isFalse();
    assertThat(room.take("another", 40)).isTrue();
    assertThat(room.take("third", 1)).isFalse();
    assertThat(room.taken()).isEqualTo(100);
  }

  @Test
  void whatIsGivenBackCanBeTakenAgain() {
    room.take("one", 60);
    room.giveBack("one", 60);

    assertThat(room.taken()).isZero();
    assertThat(room.take("one", 60)).isTrue();
  }

  @Test
  void lengthsOutOfReasonFindNoRoom() {
    room.take("one", 50);

    assertThat(room.take("one", Long.MAX_VALUE)).isFalse();
    assertThat(room.taken()).isEqualTo(50);
  }
}
