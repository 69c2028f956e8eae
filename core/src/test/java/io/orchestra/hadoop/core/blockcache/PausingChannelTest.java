package io.orchestra.hadoop.core.blockcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.junit.jupiter.api.Test;

final class PausingChannelTest {
  private static final int PACKETS = 10;
  private static final int LENGTHS = 6;
  private static final int PACKET = 64 << 10;
  private static final int SEGMENT = 1448;

  /** On the clock of the connection, nanoseconds. */
  private long now;

  private long paused;
  private int reads;

  @Test
  void aPacketOfASlowConnectionTakesFewReadsAndNoLonger() throws IOException {
    long nanosPerByte = 10_000;
    PausingChannel channel = channel(nanosPerByte);
    for (int packet = 0; packet < PACKETS; packet++) {
      // HDFS's reader first wants to know how long a packet is.
      fill(channel, LENGTHS);
      fill(channel, PACKET);
    }
    assertThat(reads).isLessThan(PACKETS * 16);
    // No later than two segments after the last byte.
    assertThat(now).isLessThan(((long) PACKETS * (LENGTHS + PACKET) + 2L * SEGMENT) * nanosPerByte);
  }

  @Test
  void aFastConnectionIsNotKeptWaiting() throws IOException {
    PausingChannel channel = channel(10);
    fill(channel, LENGTHS);
    fill(channel, PACKET);
    assertThat(paused).isZero();
  }

  private PausingChannel channel(long nanosPerByte) {
    return new PausingChannel(
        new Connection(nanosPerByte),
        () -> now,
        nanos -> {
          now += nanos;
          paused += nanos;
        });
  }

  private static void fill(PausingChannel channel, int length) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(length);
    while (target.hasRemaining()) {
      assertThat(channel.read(target)).isPositive();
    }
  }

  /** Brings a segment after the other. Who finds nothing waits for the next one. */
  private final class Connection implements ReadableByteChannel {
    private final long nanosPerByte;
    private long taken;

    Connection(long nanosPerByte) {
      this.nanosPerByte = nanosPerByte;
    }

    @Override
    public int read(ByteBuffer target) {
      reads++;
      now = Math.max(now, (taken / SEGMENT + 1) * SEGMENT * nanosPerByte);
      long arrived = now / nanosPerByte / SEGMENT * SEGMENT;
      int length = (int) Math.min(target.remaining(), arrived - taken);
      target.position(target.position() + length);
      taken += length;
      return length;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
