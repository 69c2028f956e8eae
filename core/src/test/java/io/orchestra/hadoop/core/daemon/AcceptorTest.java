package io.orchestra.hadoop.core.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class AcceptorTest {
  private final AtomicInteger came = new AtomicInteger();
  private ServerSocketChannel listener;
  private Thread thread;

  @BeforeEach
  void listen() throws IOException {
    listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    thread = new Thread(new Acceptor("a guest of the test", listener, this::take));
    thread.start();
  }

  @AfterEach
  void stop() throws IOException {
    listener.close();
  }

  /** The first two find no room. */
  private void take(SocketChannel guest) throws IOException {
    int number = came.incrementAndGet();
    guest.close();
    switch (number) {
      case 1 -> throw new IOException("no file");
      case 2 -> throw new OutOfMemoryError("unable to create native thread");
      default -> {}
    }
  }

  @Test
  void whoCannotBeTakenInKeepsNobodyElseOut() throws IOException {
    for (int guest = 1; guest <= 3; guest++) {
      try (Socket socket =
          new Socket(InetAddress.getLoopbackAddress(), listener.socket().getLocalPort())) {
        assertThat(socket.getInputStream().read()).isNegative();
      }
    }
    assertThat(came).hasValue(3);
  }

  @Test
  void endsWithItsListener() throws IOException, InterruptedException {
    listener.close();
    thread.join(Duration.ofSeconds(30).toMillis());
    assertThat(thread.isAlive()).isFalse();
    assertThat(came).hasValue(0);
  }
}
