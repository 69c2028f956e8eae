package io.orchestra.hadoop.core.blockcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.net.SocketInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TimedStreamTest {
  private Pipe pipe;
  private TimedStream stream;

  @BeforeEach
  void open() throws IOException {
    pipe = Pipe.open();
    stream = new TimedStream(new SocketInputStream(pipe.source(), 1));
  }

  @AfterEach
  void close() throws IOException {
    pipe.sink().close();
    pipe.source().close();
  }

  @Test
  void whatIsSaidInTimeIsRead() throws IOException {
    write("abc");
    stream.expectWithin(Duration.ofMinutes(1));
    assertThat(stream.read()).isEqualTo('a');
    byte[] rest = new byte[10];
    assertThat(stream.read(rest, 0, 10)).isEqualTo(2);
    assertThat(rest).startsWith('b', 'c');
    pipe.sink().close();
    assertThat(stream.read()).isEqualTo(-1);
  }

  @Test
  void whoSaysAByteNowAndThenHasNoMoreTimeThanOthers() throws InterruptedException {
    AtomicBoolean enough = new AtomicBoolean();
    Thread trickle =
        new Thread(
            () -> {
              while (!enough.get()) {
                write("x");
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
              }
            });
    trickle.start();
    try {
      stream.expectWithin(Duration.ofMillis(200));
      assertThatThrownBy(() -> stream.readNBytes(1 << 20))
          .isInstanceOf(SocketTimeoutException.class);
    } finally {
      enough.set(true);
      trickle.join();
    }
  }

  @Test
  void eachMessageHasATimeOfItsOwn() throws IOException {
    stream.expectWithin(Duration.ZERO);
    assertThatThrownBy(() -> stream.read()).isInstanceOf(SocketTimeoutException.class);
    write("a");
    stream.expectWithin(Duration.ofMinutes(1));
    assertThat(stream.read()).isEqualTo('a');
  }

  private void write(String text) {
    try {
      pipe.sink().write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
