package io.orchestra.hadoop.prefetch.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.Uninterruptibles;
import io.orchestra.hadoop.core.daemon.GuardedTask;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class ShaperTest {
  private static final Duration LONG = Duration.ofMinutes(1);

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

  @Test
  void aHelperThatWasStartedAnewIsToldAllAgain(@TempDir Path directory) throws IOException {
    Path socket = directory.resolve("socket");
    try (Shaper shaper = new Shaper(socket)) {
      try (FakeHelper ignored = new FakeHelper(socket)) {
        assertThat(shaper.applyNow(set(1, 8000))).isTrue();
        assertThat(shaper.applyNow(set(2, 8000))).isTrue();
        assertThat(shaper.applyNow(Shape.clear(Shaper.HOST_PORT, 2))).isTrue();
      }

      try (FakeHelper next = new FakeHelper(socket)) {
        assertThat(shaper.applyNow(set(3, 8000))).isTrue();
        assertThat(next.lines).containsExactly(set(1, 8000).line(), set(3, 8000).line());
      }
    }
  }

  @Test
  void whatNoneHasHeardTheNextOneHears(@TempDir Path directory) throws IOException {
    Path socket = directory.resolve("socket");
    try (Shaper shaper = new Shaper(socket)) {
      assertThat(shaper.applyNow(set(1, 8000))).isFalse();

      try (FakeHelper helper = new FakeHelper(socket)) {
        assertThat(shaper.applyNow(set(2, 8000))).isTrue();
        assertThat(helper.lines).containsExactly(set(1, 8000).line(), set(2, 8000).line());
      }
    }
  }

  @Test
  void whatThereWasNoRoomForIsAskedForAgain(@TempDir Path directory) throws IOException {
    Path socket = directory.resolve("socket");
    try (FakeHelper helper = new FakeHelper(socket);
        Shaper shaper = new Shaper(socket)) {
      assertThat(shaper.applyNow(set(1, 9000))).isTrue();
      helper.answer = line -> line.equals(set(2, 9000).line()) ? "refused: made up" : "ok";
      assertThat(shaper.applyNow(set(2, 9000))).isFalse();

      helper.answer = line -> "ok";
      helper.lines.clear();
      assertThat(shaper.applyNow(set(1, 1000))).isTrue();
      assertThat(helper.lines).containsExactly(set(1, 1000).line(), set(2, 9000).line());
    }
  }

  @Test
  void noEndOfARateIsLost(@TempDir Path directory) throws IOException {
    Path socket = directory.resolve("socket");
    CountDownLatch heard = new CountDownLatch(1);
    CountDownLatch answers = new CountDownLatch(1);
    try (FakeHelper helper = new FakeHelper(socket);
        Shaper shaper = new Shaper(socket)) {
      helper.answer =
          line -> {
            heard.countDown();
            return Uninterruptibles.awaitUninterruptibly(answers, 1, TimeUnit.MINUTES) ? "ok" : "";
          };
      shaper.apply(set(1, 8000));
      assertThat(Uninterruptibles.awaitUninterruptibly(heard, 1, TimeUnit.MINUTES)).isTrue();
      for (int change = 1; change <= 3000; change++) {
        shaper.apply(set(2, change));
      }
      shaper.apply(Shape.clear(Shaper.HOST_PORT, 1));
      answers.countDown();

      await().until(() -> helper.lines.contains("clear host 1"));
      await().until(() -> helper.lines.contains(set(2, 3000).line()));
    }
  }

  @Test
  void allIsForgottenWithTheConnection(@TempDir Path directory) throws IOException {
    Path socket = directory.resolve("socket");
    try (FakeHelper helper = new FakeHelper(socket);
        Shaper shaper = new Shaper(socket)) {
      assertThat(shaper.applyNow(set(1, 8000))).isTrue();
      shaper.forget();
      shaper.apply(set(2, 8000));

      await().until(() -> helper.lines.contains(set(2, 8000).line()));
      assertThat(helper.connections).hasValue(2);
      assertThat(helper.lines).containsExactly(set(1, 8000).line(), set(2, 8000).line());
    }
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whoDoesNotAnswerIsNotWaitedForForEver(@TempDir Path directory) throws IOException {
    Path socket = directory.resolve("socket");
    try (ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        Shaper shaper = new Shaper(socket, Duration.ofMillis(100), LONG)) {
      silent.bind(UnixDomainSocketAddress.of(socket));

      assertThat(shaper.applyNow(set(1, 8000))).isFalse();
    }
  }

  @Test
  void thatAHelperDoesNotKeepItsRatesAnyMoreIsToldOnceInAWhile(@TempDir Path directory)
      throws IOException {
    Path socket = directory.resolve("socket");
    try (Lines log = new Lines();
        FakeHelper helper = new FakeHelper(socket);
        Shaper shaper = new Shaper(socket, LONG, Duration.ofMillis(1))) {
      assertThat(shaper.applyNow(set(1, 8000))).isTrue();
      helper.answer = line -> "refused: they are gone";
      await().atMost(LONG).until(() -> !shaper.shapes(Shaper.HOST_PORT));
      helper.answer = line -> "ok";

      await().atMost(LONG).until(() -> shaper.shapes(Shaper.HOST_PORT));
      assertThat(log.lines)
          .singleElement()
          .asString()
          .contains("Rates are not guaranteed: host on ", "is refused: they are gone");
    }
  }

  @Test
  void aPortWithoutAFreeSlotIsAskedForARateThatItHas(@TempDir Path directory) throws IOException {
    Path socket = directory.resolve("socket");
    try (FakeHelper helper = new FakeHelper(socket);
        Shaper shaper = new Shaper(socket, LONG, Duration.ofMillis(1))) {
      for (int slot = 1; slot <= Shape.SLOTS; slot++) {
        assertThat(shaper.applyNow(set(slot, 8000))).isTrue();
      }
      helper.lines.clear();
      helper.answer = line -> line.startsWith("set ") ? "refused: they are gone" : "ok";

      await().atMost(LONG).until(() -> !shaper.shapes(Shaper.HOST_PORT));
      assertThat(helper.lines).isNotEmpty().allMatch(line -> line.startsWith("set host "));
    }
  }

  @Test
  void whetherAPortIsShapedIsFoundOut(@TempDir Path directory) throws IOException {
    Path socket = directory.resolve("socket");
    try (Lines log = new Lines();
        Shaper shaper = new Shaper(socket)) {
      assertThat(shaper.shapes(Shaper.HOST_PORT)).isFalse();
      try (FakeHelper helper = new FakeHelper(socket)) {
        helper.answer = line -> line.startsWith("clear host ") ? "ok" : "refused: there is none";
        await().atMost(Duration.ofSeconds(60)).until(() -> shaper.shapes(Shaper.HOST_PORT));
        assertThat(shaper.shapes("other")).isFalse();
        await().until(() -> helper.lines.contains("clear other 1"));
        assertThat(shaper.shapes("other")).isFalse();
      }
      assertThat(log.lines).as("nobody misses a rate").isEmpty();

      assertThat(shaper.applyNow(set(1, 8000))).isFalse();
      assertThat(shaper.shapes(Shaper.HOST_PORT)).isFalse();
      assertThat(log.lines).singleElement().asString().contains("no traffic helper answers");
    }
  }

  /** There it would end a ResourceManager. */
  @Test
  void nothingThatGoesWrongGetsOutOfItsThread() {
    try (Lines log = new Lines(GuardedTask.class);
        Shaper shaper = new Shaper(null)) {
      shaper.apply(set(1, 8000));

      await().until(() -> log.lines.stream().anyMatch(line -> line.contains("helper failed")));
    }
  }

  private static Shape set(int slot, long bits) {
    return new Shape(Shaper.HOST_PORT, slot, bits, "10.0.0.1", 42000);
  }

  /** One client after the other. */
  private static final class FakeHelper implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final ServerSocketChannel listener;
    private volatile UnaryOperator<String> answer = line -> "ok";
    private volatile SocketChannel client;

    private FakeHelper(Path socket) throws IOException {
      Files.deleteIfExists(socket);
      listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      listener.bind(UnixDomainSocketAddress.of(socket));
      Thread serving = new Thread(this::serve);
      serving.setDaemon(true);
      serving.start();
    }

    private void serve() {
      while (listener.isOpen()) {
        try (SocketChannel accepted = listener.accept();
            BufferedReader reader =
                new BufferedReader(
                    new InputStreamReader(
                        Channels.newInputStream(accepted), StandardCharsets.US_ASCII))) {
          connections.incrementAndGet();
          client = accepted;
          for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            lines.add(line);
            accepted.write(
                ByteBuffer.wrap((answer.apply(line) + "\n").getBytes(StandardCharsets.US_ASCII)));
          }
        } catch (IOException e) {
          // It is closed, or its client is gone.
        }
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
      if (client != null) {
        client.close();
      }
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
    private final Logger logger;

    private Lines() {
      this(Shaper.class);
    }

    private Lines(Class<?> speaking) {
      logger = Logger.getLogger(speaking);
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
