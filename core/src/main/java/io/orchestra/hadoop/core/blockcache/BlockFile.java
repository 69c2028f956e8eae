package io.orchestra.hadoop.core.blockcache;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.Consumer;

/**
 * The bytes of a {@link CachedBlock}. They are written and read a little at a time: for every
 * thread the JDK keeps a direct buffer as long as its longest write or read was.
 */
final class BlockFile implements Closeable {
  private static final int MOST_AT_ONCE = 128 << 10;

  private final FileChannel channel;

  BlockFile(FileChannel channel) {
    this.channel = channel;
  }

  /** Consumes {@code data}. */
  void write(long position, ByteBuffer data) throws IOException {
    for (long at = position; data.hasRemaining(); ) {
      int written = channel.write(some(data), at);
      data.position(data.position() + written);
      at += written;
    }
  }

  /** Fills {@code target}. */
  void readFully(long position, ByteBuffer target) throws IOException {
    for (long at = position; target.hasRemaining(); ) {
      int read = channel.read(some(target), at);
      if (read < 0) {
        throw new EOFException("it ends at " + at);
      }
      target.position(target.position() + read);
      at += read;
    }
  }

  /** Gives all bytes of a part out, a few at a time. */
  void read(long position, int length, Consumer<ByteBuffer> reader) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.min(MOST_AT_ONCE, length));
    for (int done = 0; done < length; done += bytes.limit()) {
      readFully(position + done, bytes.clear().limit(Math.min(bytes.capacity(), length - done)));
      reader.accept(bytes.flip());
    }
  }

  private static ByteBuffer some(ByteBuffer bytes) {
    return bytes.slice(bytes.position(), Math.min(MOST_AT_ONCE, bytes.remaining()));
  }

  void send(long position, int length, PieceSink sink) throws IOException {
    sink.take(channel, position, length);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
