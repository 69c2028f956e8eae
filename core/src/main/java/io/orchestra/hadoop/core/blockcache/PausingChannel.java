package io.orchestra.hadoop.core.blockcache;

import com.google.common.annotations.VisibleForTesting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * What comes through a channel, for who asks for as much as is to come, such as a packet of HDFS's:
 * it is read again only when enough of that is likely to be there. See {@link ReadPause}. Used by
 * one thread.
 */
final class PausingChannel implements ReadableByteChannel {
  private final ReadableByteChannel channel;
  private final LongSupplier clock;
  private final LongConsumer pausing;
  private final ReadPause pauses = new ReadPause();

  /** When the last read ended, on the clock. */
  private long before;

  /** Nanoseconds from there to the next one. */
  private long pause;

  PausingChannel(ReadableByteChannel channel) {
    this(channel, System::nanoTime, LockSupport::parkNanos);
  }

  /**
   * @param clock nanoseconds
   * @param pausing waits for so many nanoseconds, or not at all
   */
  @VisibleForTesting
  PausingChannel(ReadableByteChannel channel, LongSupplier clock, LongConsumer pausing) {
    this.channel = channel;
    this.clock = clock;
    this.pausing = pausing;
    before = clock.getAsLong();
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    // Whoever is interrupted does not pause, and the channel meets it.
    pausing.accept(pause);
    pause = 0;
    int read = channel.read(target);
    long now = clock.getAsLong();
    if (read > 0) {
      pause = pauses.nanos(read, now - before, target.remaining());
    }
    before = now;
    return read;
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
