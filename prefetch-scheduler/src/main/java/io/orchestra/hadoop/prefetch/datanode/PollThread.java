package io.orchestra.hadoop.prefetch.datanode;

import io.orchestra.hadoop.prefetch.rpc.CoordinatorAddresses;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollResponseProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls whichever ResourceManager is active, again and again. While none answers, all are tried
 * each few seconds.
 */
final class PollThread implements Runnable, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(PollThread.class);
  private static final Duration PAUSE_UNHEARD = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** One ResourceManager. */
  interface Coordinator extends Closeable {
    PollResponseProto poll(PollProto poll) throws IOException;
  }

  /** Connects to one. */
  @FunctionalInterface
  interface Connection {
    Coordinator to(InetSocketAddress address) throws IOException;
  }

  /** What is said, and when. */
  interface Talk {
    /** Waits until there is something to say. */
    PollProto next() throws InterruptedException;

    void answered(PollProto question, PollResponseProto answer);
  }

  private final List<InetSocketAddress> addresses;
  private final Connection connection;
  private final Talk talk;
  private final Thread thread;
  private Coordinator coordinator;
  private int at;
  private int unheard;

  /**
   * @param addresses of all ResourceManagers
   */
  PollThread(String name, List<InetSocketAddress> addresses, Connection connection, Talk talk) {
    this.addresses = List.copyOf(addresses);
    this.connection = connection;
    this.talk = talk;
    thread = new Thread(this, name);
    thread.setDaemon(true);
  }

  PollThread start() {
    thread.start();
    return this;
  }

  @Override
  public void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        pollGuarded();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      leave();
    }
  }

  /** Without memory even what is done about a failure may fail, such as the log. */
  private void pollGuarded() throws InterruptedException {
    try {
      poll();
    } catch (RuntimeException | Error e) {
      Thread.sleep(PAUSE_UNHEARD.toMillis());
    }
  }

  private void poll() throws InterruptedException {
    try {
      PollProto question = talk.next();
      if (coordinator == null) {
        coordinator = connection.to(CoordinatorAddresses.resolvedNow(addresses.get(at)));
      }
      talk.answered(question, coordinator.poll(question));
      if (unheard >= addresses.size()) {
        LOG.info("The prefetch coordinator answers at {}", addresses.get(at));
      }
      unheard = 0;
    } catch (IOException | RuntimeException | Error e) {
      unheard(e);
    }
  }

  private void unheard(Throwable cause) throws InterruptedException {
    leave();
    if (++unheard == addresses.size()) {
      LOG.warn(
          "No prefetch coordinator answers: {}. Trying on; maps read from HDFS meanwhile",
          cause.toString());
    }
    LOG.debug("{} does not answer", addresses.get(at), cause);
    at = (at + 1) % addresses.size();
    if (unheard % addresses.size() == 0) {
      long longest =
          Math.min(LONGEST_PAUSE.toMillis(), unheard / addresses.size() * PAUSE_UNHEARD.toMillis());
      Thread.sleep(longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2 + 1));
    }
  }

  private void leave() {
    Coordinator leaving = coordinator;
    coordinator = null;
    if (leaving != null) {
      try {
        leaving.close();
      } catch (IOException | RuntimeException | Error e) {
        LOG.debug("A connection did not end cleanly", e);
      }
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(1000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
