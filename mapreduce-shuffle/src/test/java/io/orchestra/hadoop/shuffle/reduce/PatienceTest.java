package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

final class PatienceTest {
  private static final int LIMIT = 1000;

  private final Patience patience = new Patience(LIMIT);

  private void wait(int times, long millis, int bytes) throws SocketTimeoutException {
    for (int time = 0; time < times; time++) {
      patience.waited(millis, bytes);
    }
  }

  @Test
  void aByteNowAndThenIsNothing() throws SocketTimeoutException {
    wait(10, LIMIT / 10, 1);

    assertThatExceptionOfType(SocketTimeoutException.class)
        .isThrownBy(() -> patience.waited(LIMIT / 10, 1))
        .withMessageContaining("11 bytes");
  }

  @Test
  void aSlowLinkIsWaitedForAsLongAsItBringsSomething() {
    assertThatCode(() -> wait(1000, LIMIT / 4, Patience.LEAST_BYTES / 4))
        .doesNotThrowAnyException();
  }

  @Test
  void whatCameEarlierDoesNotCount() throws SocketTimeoutException {
    patience.waited(1, 1 << 20);
    patience.waited(LIMIT, 1);

    assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> patience.waited(1, 1));
  }
}
