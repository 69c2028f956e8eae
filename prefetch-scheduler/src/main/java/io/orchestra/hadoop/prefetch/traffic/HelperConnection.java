package io.orchestra.hadoop.prefetch.traffic;

import java.io.Closeable;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A connection to a {@link TrafficHelper}, which answers each line with another. Whoever waits for
 * an answer does so until a limit, or until he is interrupted. Used by one thread at a time.
 */
final class HelperConnection implements Closeable {
  private static final int LONGEST_ANSWER = 4096;

  private final SocketChannel channel;
  private final Selector selector;
  private final Duration limit;

  private HelperConnection(SocketChannel channel, Selector selector, Duration limit) {
    this.channel = channel;
    this.selector = selector;
    this.limit = limit;
  }

  /**
   * @param limit for each answer
   */
  static HelperConnection to(Path socket, Duration limit) throws IOException {
    SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    try {
      channel.configureBlocking(false);
      Selector selector = Selector.open();
      channel.register(selector, SelectionKey.OP_READ);
      return new HelperConnection(channel, selector, limit);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * @throws IOException if there is no answer; this connection is of no use any more
   */
  String ask(String line) throws IOException {
    ByteBuffer bytes = StandardCharsets.US_ASCII.encode(line + "\n");
    channel.write(bytes);
    if (bytes.hasRemaining()) {
      throw new IOException("it does not listen");
    }
    long deadline = System.nanoTime() + limit.toNanos();
    ByteBuffer answer = ByteBuffer.allocate(LONGEST_ANSWER);
    while (answer.position() == 0 || answer.get(answer.position() - 1) != '\n') {
      await(deadline);
      if (!answer.hasRemaining() || channel.read(answer) < 0) {
        throw new IOException("it has closed the connection, or does not end");
      }
    }
    return StandardCharsets.UTF_8.decode(answer.flip()).toString().stripTrailing();
  }

  private void await(long deadline) throws IOException {
    long millis = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
    if (millis <= 0 || selector.select(millis) == 0) {
      throw new IOException("no answer within %s".formatted(limit));
    }
    selector.selectedKeys().clear();
  }

  @Override
  public void close() throws IOException {
    try (selector) {
      channel.close();
    }
  }
}
