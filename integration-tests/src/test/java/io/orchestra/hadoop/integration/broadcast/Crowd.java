package io.orchestra.hadoop.integration.broadcast;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * More clients of a block cache than a user may have: each begins to say something, is left for
 * want of the rest, and comes again at once. Stands alone.
 */
final class Crowd {
  private static final long PAUSE = 2_000_000;

  private Crowd() {}

  /**
   * @param arguments path of the cache's socket, and how many clients
   */
  public static void main(String[] arguments) {
    Path socket = Path.of(arguments[0]);
    for (int client = 0; client < Integer.parseInt(arguments[1]); client++) {
      new Thread(() -> comeAgainAndAgain(socket)).start();
    }
  }

  private static void comeAgainAndAgain(Path socket) {
    while (true) {
      try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
        // The length of a message that does not come.
        channel.write(ByteBuffer.wrap(new byte[] {(byte) 0xfe, 0x7f}));
        int unused = channel.read(ByteBuffer.allocate(1));
      } catch (IOException e) {
        // There is no place, or no cache yet.
        LockSupport.parkNanos(PAUSE);
      }
    }
  }
}
