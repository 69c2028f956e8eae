package io.orchestra.hadoop.prefetch.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ShaperTest {
  @Test
  void whateverIsRefusedIsToldOnceInAWhile(@TempDir Path directory) throws IOException {
    Path socket = directory.resolve("socket");
    try (ServerSocketChannel helper = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        Lines log = new Lines();
        Shaper shaper = new Shaper(socket)) {
      helper.bind(UnixDomainSocketAddress.of(socket));
      Thread refusing = new Thread(() -> refuse(helper));
      refusing.setDaemon(true);
      refusing.start();
      for (int slot = 1; slot <= 3; slot++) {
        assertThat(shaper.applyNow(Shape.clear(Shaper.HOST_PORT, slot))).isFalse();
      }

      assertThat(log.lines).singleElement().asString().contains("is refused: made up");
    }
  }

  private static void refuse(ServerSocketChannel helper) {
    try (SocketChannel client = helper.accept();
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(
                    Channels.newInputStream(client), StandardCharsets.US_ASCII))) {
      while (lines.readLine() != null) {
        client.write(ByteBuffer.wrap("refused: made up\n".getBytes(StandardCharsets.US_ASCII)));
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  /** What is logged until it is closed. */
  private static final class Lines extends AppenderSkeleton implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger(Shaper.class);

    private Lines() {
      logger.addAppender(this);
    }

    @Override
    protected void append(LoggingEvent event) {
      lines.add(event.getRenderedMessage());
    }

    @Override
    public boolean requiresLayout() {
      return false;
    }

    @Override
    public void close() {
      logger.removeAppender(this);
    }
  }
}
