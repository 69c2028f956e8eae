package io.orchestra.hadoop.integration.prefetch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Both ends of TCP streams, on hosts without anything else. {@code sink PORT…} answers each line
 * with the bytes that have come to each port; {@code source ADDRESS PORT COUNT} sends as much as it
 * can until its input ends.
 */
final class Streams {
  private static final int BUFFER = 64 << 10;

  private Streams() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments[0].equals("sink")) {
      sink(arguments);
    } else {
      for (int stream = 0; stream < Integer.parseInt(arguments[3]); stream++) {
        Socket socket = new Socket(arguments[1], Integer.parseInt(arguments[2]));
        start(() -> send(socket));
      }
      System.out.println("ready");
      int unused = System.in.read();
    }
    System.exit(0);
  }

  private static void sink(String[] arguments) throws IOException {
    Map<String, AtomicLong> bytes = new TreeMap<>();
    for (int index = 1; index < arguments.length; index++) {
      AtomicLong received = new AtomicLong();
      bytes.put(arguments[index], received);
      ServerSocket listener = new ServerSocket(Integer.parseInt(arguments[index]));
      start(
          () -> {
            while (true) {
              Socket socket = listener.accept();
              start(() -> receive(socket, received));
            }
          });
    }
    System.out.println("ready");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (lines.readLine() != null) {
      StringBuilder answer = new StringBuilder();
      bytes.forEach((port, received) -> answer.append(received.get()).append(' '));
      System.out.println(answer);
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                System.err.println(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private static void send(Socket socket) throws IOException {
    OutputStream out = socket.getOutputStream();
    byte[] buffer = new byte[BUFFER];
    while (true) {
      out.write(buffer);
    }
  }

  private static void receive(Socket socket, AtomicLong received) throws IOException {
    InputStream in = socket.getInputStream();
    byte[] buffer = new byte[BUFFER];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      received.addAndGet(read);
    }
  }
}
