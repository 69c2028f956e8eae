package io.orchestra.hadoop.prefetch.traffic;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.util.concurrent.RateLimiter;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a {@link TrafficHelper}. Whatever it refuses, and if there is none, flows go on without a
 * minimum rate. Safe for concurrent use; nobody waits for an answer.
 */
public final class Shaper implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Shaper.class);

  /** As a helper names the one device of its host. */
  public static final String HOST_PORT = "host";

  private static final int MOST_WAITING = 1000;

  private final Path socket;
  private final RateLimiter warnings = RateLimiter.create(1.0 / 60);
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(MOST_WAITING),
          new ThreadFactoryBuilder().setNameFormat("orchestra-shaper").setDaemon(true).build(),
          new ThreadPoolExecutor.DiscardPolicy());

  // Used by the thread.
  private volatile SocketChannel channel;
  private BufferedReader answers;
  private boolean failing;

  /**
   * @param socket of the helper; nothing is connected yet
   */
  public Shaper(Path socket) {
    this.socket = socket;
  }

  /** Asks for it, after all before it; returns at once. */
  public void apply(Shape shape) {
    thread.execute(() -> applyNow(shape));
  }

  /** Ends all that was asked for before; returns at once. */
  public void forget() {
    // Which the helper sees from the end of the connection.
    thread.execute(this::disconnect);
  }

  /**
   * @return whether it was done
   */
  @VisibleForTesting
  boolean applyNow(Shape shape) {
    try {
      String answer = ask(shape.line());
      if (!answer.equals("ok")) {
        if (warnings.tryAcquire()) {
          LOG.warn("{} on {} is {} (told at most once a minute)", shape, socket, answer);
        }
        return false;
      }
      failing = false;
      return true;
    } catch (IOException e) {
      disconnect();
      if (!failing) {
        failing = true;
        LOG.warn("Rates are not guaranteed: no traffic helper answers on {}: {}", socket, e, e);
      }
      return false;
    }
  }

  private String ask(String line) throws IOException {
    if (channel == null) {
      channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
      answers =
          new BufferedReader(
              new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
    }
    ByteBuffer bytes = StandardCharsets.US_ASCII.encode(line + "\n");
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("it has closed the connection");
    }
    return answer;
  }

  private void disconnect() {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        LOG.debug("A connection did not end cleanly", e);
      }
      channel = null;
    }
  }

  /** All it has asked for ends. */
  @Override
  public void close() {
    // Whoever waits for an answer is interrupted, which closes the connection.
    thread.shutdownNow();
    SocketChannel open = channel;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        LOG.debug("A connection did not end cleanly", e);
      }
    }
  }
}
