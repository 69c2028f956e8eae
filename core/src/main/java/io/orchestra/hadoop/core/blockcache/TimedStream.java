package io.orchestra.hadoop.core.blockcache;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.net.SocketInputStream;

/** What a client says: each message is here in time or not at all, however its bytes trickle. */
final class TimedStream extends InputStream {
  private final SocketInputStream socket;
  private long deadline;

  /**
   * @param socket of the client; its timeout is set by this
   */
  TimedStream(SocketInputStream socket) {
    this.socket = socket;
  }

  /** The next message is to be here within {@code limit} from now. */
  void expectWithin(Duration limit) {
    deadline = System.nanoTime() + limit.toNanos();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  /**
   * @throws SocketTimeoutException when the time is over
   */
  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    if (millis <= 0) {
      throw new SocketTimeoutException("the client has not said all in time");
    }
    socket.setTimeout(millis);
    return socket.read(bytes, offset, length);
  }
}
