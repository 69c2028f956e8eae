package io.orchestra.hadoop.testbed.agent;

import io.orchestra.hadoop.testbed.DaemonThread;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/** Takes in and counts what {@link TrafficSource} sends to this host. */
final class TrafficSink {
  static final int PORT = 7777;
  private static final int BUFFER = 64 * 1024;

  private final AtomicLong bytes = new AtomicLong();

  static TrafficSink open() throws IOException {
    TrafficSink sink = new TrafficSink();
    ServerSocket listener = new ServerSocket(PORT);
    DaemonThread.of("traffic-listener", () -> sink.accept(listener)).start();
    return sink;
  }

  /** Received since the start. */
  long bytes() {
    return bytes.get();
  }

  private void accept(ServerSocket listener) {
    try {
      while (true) {
        Socket source = listener.accept();
        DaemonThread.of("traffic-sink", () -> drain(source)).start();
      }
    } catch (IOException e) {
      System.err.println("no more traffic is taken in: " + e);
    }
  }

  private void drain(Socket source) {
    byte[] buffer = new byte[BUFFER];
    try (source;
        InputStream input = source.getInputStream()) {
      for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
        bytes.addAndGet(count);
      }
    } catch (IOException e) {
      // The source was closed.
    }
  }
}
