package io.orchestra.hadoop.placement.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class RequestQueueTest {
  private final RequestQueue<String> queue = new RequestQueue<>();

  @Test
  void theWritesNearestToTheirEndComeFirst() {
    queue.add("long write", 9);
    queue.add("last block", 1);
    queue.add("short write", 2);
    queue.add("another last block", 1);

    assertThat(queue.dispatch())
        .containsExactly("last block", "another last block", "short write", "long write");
  }

  @Test
  void whatWasDispatchedIsGone() {
    queue.add("block", 1);

    assertThat(queue.dispatch()).hasSize(1);
    assertThat(queue.dispatch()).isEmpty();
  }

  @Test
  void aWriteWithoutBlocksIsNoWrite() {
    assertThatThrownBy(() -> queue.add("nothing", 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
