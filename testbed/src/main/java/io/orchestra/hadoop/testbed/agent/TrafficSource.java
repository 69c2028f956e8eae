package io.orchestra.hadoop.testbed.agent;

import io.orchestra.hadoop.testbed.DaemonThread;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Background traffic: paced TCP flows to {@link TrafficSink}s. {@code load FLOWS RATE HOST …} makes
 * it send to these hosts and no others, over so many flows to each, RATE bytes a second together.
 *
 * <p>A flow that was held back catches up for at most a second of its rate, so several of them keep
 * their part of a link against other TCP traffic.
 */
public final class TrafficSource {
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long MOST_BEHIND = TimeUnit.SECONDS.toNanos(1);

  private final Map<String, List<Flow>> flows = new HashMap<>();

  public static void main(String[] arguments) throws IOException {
    Conversation conversation = new Conversation();
    TrafficSource source = new TrafficSource();
    conversation.listenToTheEnd(
        (verb, words) -> {
          source.load(
              Integer.parseInt(words.get(0)),
              Long.parseLong(words.get(1)),
              words.subList(2, words.size()));
          conversation.answer("loading " + source.flows.keySet());
        });
  }

  private void load(int count, long rate, List<String> hosts) throws IOException {
    Set<String> others = new HashSet<>(flows.keySet());
    hosts.forEach(others::remove);
    for (String host : others) {
      flows.remove(host).forEach(Flow::close);
    }
    for (String host : hosts) {
      if (flows.containsKey(host)) {
        continue;
      }
      List<Flow> started = new ArrayList<>();
      flows.put(host, started);
      for (int flow = 0; flow < count; flow++) {
        started.add(Flow.start(host, rate / count));
      }
    }
  }

  /** One connection. Its socket may be closed by any thread, which ends it. */
  private record Flow(Socket socket) {
    static Flow start(String host, long rate) throws IOException {
      Socket socket = new Socket();
      socket.connect(new InetSocketAddress(host, TrafficSink.PORT), 10_000);
      DaemonThread.of("traffic-to-" + host, () -> send(socket, rate)).start();
      return new Flow(socket);
    }

    private static void send(Socket socket, long rate) {
      byte[] piece = new byte[(int) (rate * TICK / TimeUnit.SECONDS.toNanos(1))];
      try (socket;
          OutputStream output = socket.getOutputStream()) {
        long due = System.nanoTime();
        while (!socket.isClosed()) {
          long now = System.nanoTime();
          due = Math.max(due, now - MOST_BEHIND);
          if (due > now) {
            TimeUnit.NANOSECONDS.sleep(due - now);
          }
          output.write(piece);
          due += TICK;
        }
      } catch (IOException e) {
        // Closed here or there.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    void close() {
      try {
        // Without waiting for what is still queued: the link is free at once.
        socket.setSoLinger(true, 0);
        socket.close();
      } catch (IOException e) {
        System.err.println("a flow did not end: " + e);
      }
    }
  }
}
