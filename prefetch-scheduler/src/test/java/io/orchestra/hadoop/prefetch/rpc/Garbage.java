package io.orchestra.hadoop.prefetch.rpc;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What strangers send to a port of Hadoop's RPC. */
final class Garbage {
  private static final int ROUNDS = 20;
  private static final int LONGEST = 2000;

  private Garbage() {}

  static void send(int port) throws IOException {
    for (byte[] bytes : all()) {
      try (Socket socket = new Socket("127.0.0.1", port)) {
        socket.getOutputStream().write(bytes);
        socket.shutdownOutput();
      }
    }
  }

  private static List<byte[]> all() {
    Random random = new Random(1);
    List<byte[]> garbage = new ArrayList<>();
    garbage.add("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = new byte[1 + random.nextInt(LONGEST)];
      random.nextBytes(bytes);
      garbage.add(bytes);
      // A call of which Hadoop knows the first bytes only.
      byte[] call = bytes.clone();
      byte[] beginning = {'h', 'r', 'p', 'c', 9, 0, 0};
      System.arraycopy(beginning, 0, call, 0, Math.min(beginning.length, call.length));
      garbage.add(call);
    }
    return garbage;
  }
}
