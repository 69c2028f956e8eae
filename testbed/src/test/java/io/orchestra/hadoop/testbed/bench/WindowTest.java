package io.orchestra.hadoop.testbed.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import org.junit.jupiter.api.Test;

final class WindowTest {
  @Test
  void bothEndsBelongToIt() {
    // Such times may be negative, and overflow.
    Window window = new Window(Long.MAX_VALUE - 1, Long.MIN_VALUE + 1);

    assertThat(window.contains(Long.MAX_VALUE - 1)).isTrue();
    assertThat(window.contains(Long.MIN_VALUE + 1)).isTrue();
    assertThat(window.contains(Long.MAX_VALUE - 2)).isFalse();
    assertThat(window.contains(Long.MIN_VALUE + 2)).isFalse();
  }

  @Test
  void timesOfTheClockAreFoundAgain() {
    Instant now = Instant.now();
    Window window = Window.between(now.minusSeconds(3), now.minusSeconds(1));

    assertThat(window.seconds()).isCloseTo(2, within(1e-6));
    assertThat(window.contains(System.nanoTime())).isFalse();
  }

  @Test
  void itDoesNotEndBeforeItBegins() {
    assertThatThrownBy(() -> new Window(2, 1)).hasMessageContaining("1 ns before");
  }
}
