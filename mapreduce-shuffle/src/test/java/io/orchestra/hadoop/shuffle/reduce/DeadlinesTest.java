package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A host that sends a byte now and then, so that no read takes long. */
@Timeout(300)
final class DeadlinesTest {
  private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n";

  private final Deadlines deadlines = new Deadlines();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private ServerSocket host;

  @BeforeEach
  void listen() throws IOException {
    host = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    ended.countDown();
    host.close();
    threads.shutdownNow();
    deadlines.close();
  }

  private void answer(String atOnce, String then) {
    Future<?> unused =
        threads.submit(
            () -> {
              try (Socket reducer = host.accept()) {
                OutputStream out = reducer.getOutputStream();
                out.write(atOnce.getBytes(StandardCharsets.US_ASCII));
                do {
                  out.write(then.getBytes(StandardCharsets.US_ASCII));
                } while (!ended.await(50, TimeUnit.MILLISECONDS));
              }
              return null;
            });
  }

  private HttpURLConnection connection() throws IOException {
    URL url = new URL("http", host.getInetAddress().getHostAddress(), host.getLocalPort(), "/");
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    connection.setReadTimeout(10_000);
    return connection;
  }

  private byte[] get(long millis) throws IOException {
    HttpURLConnection connection = connection();
    return deadlines.within(
        millis,
        connection,
        () -> {
          try (InputStream in = connection.getInputStream()) {
            return in.readAllBytes();
          }
        });
  }

  @Test
  void anAnswerThatBeginsForeverEnds() {
    answer("HTTP/1.1 200 OK\r\n", "a: b\r\n");

    assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> get(3000));
  }

  @Test
  void anAnswerThatGoesOnForeverEnds() {
    answer(HEAD, "x");

    assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> get(3000));
  }

  /**
   * When its time is over it may not have been made yet, and then there is nothing to end. What is
   * about to be made may also throw.
   */
  @Test
  void aConnectionWhoseTimeIsOverIsEndedAgainAndAgain() throws IOException {
    AtomicInteger ends = new AtomicInteger();
    HttpURLConnection connection =
        new HttpURLConnection(connection().getURL()) {
          @Override
          public void connect() {}

          @Override
          public void disconnect() {
            if (ends.incrementAndGet() == 1) {
              throw new NullPointerException("made and not made");
            }
          }

          @Override
          public boolean usingProxy() {
            return false;
          }
        };

    assertThatExceptionOfType(SocketTimeoutException.class)
        .isThrownBy(
            () ->
                deadlines.within(
                    1,
                    connection,
                    () -> {
                      await().atMost(RunningJob.PATIENCE).until(() -> ends.get() > 1);
                      throw new IOException("it has ended");
                    }));
    // Whatever fails once the time is over counts as late.
    assertThat(ends).hasValueGreaterThan(1);
  }

  @Test
  void whatEndsInTimeIsNotTouched() throws IOException {
    HttpURLConnection connection = connection();

    assertThat(deadlines.within(60_000, connection, () -> "in time")).isEqualTo("in time");
    assertThatIOException()
        .isThrownBy(
            () ->
                deadlines.within(
                    60_000,
                    connection,
                    () -> {
                      throw new IOException("something else");
                    }))
        .withMessage("something else")
        .isNotInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void whatIsUnderWayAtTheEndStillEnds() throws IOException, InterruptedException {
    answer(HEAD, "x");
    HttpURLConnection connection = connection();
    CountDownLatch asked = new CountDownLatch(1);
    Future<byte[]> answer =
        threads.submit(
            () ->
                deadlines.within(
                    1000,
                    connection,
                    () -> {
                      asked.countDown();
                      return connection.getInputStream().readAllBytes();
                    }));
    asked.await();
    deadlines.close();

    await().atMost(RunningJob.PATIENCE).until(answer::isDone);
  }
}
