package io.orchestra.hadoop.shuffle.reduce;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;

/**
 * An output that is not compressed, in memory that Hadoop's merge has given for it. What is sent
 * ends with a checksum, which the merge does not want. The memory goes to the merge or back once,
 * and is not held on to after that by lanes that still write.
 */
final class MemoryStore implements RangeStore {
  private final AtomicReference<Reserved> reserved;

  private record Reserved(MapOutput<?, ?> output, byte[] memory, byte[] checksum) {
    void write(int at, ByteBuffer bytes) {
      int data = Math.max(0, Math.min(bytes.remaining(), memory.length - at));
      if (data > 0) {
        bytes.get(memory, at, data);
      }
      if (bytes.hasRemaining()) {
        bytes.get(checksum, at + data - memory.length, bytes.remaining());
      }
    }
  }

  /**
   * @param memory of {@code output}
   * @param length bytes, as the output is sent
   */
  MemoryStore(MapOutput<?, ?> output, byte[] memory, long length) {
    byte[] checksum = new byte[Math.toIntExact(length - memory.length)];
    reserved = new AtomicReference<>(new Reserved(output, memory, checksum));
  }

  private Reserved held() throws IOException {
    Reserved held = reserved.get();
    if (held == null) {
      throw new ClosedChannelException();
    }
    return held;
  }

  @Override
  public void write(long position, ByteBuffer bytes) throws IOException {
    held().write(Math.toIntExact(position), bytes);
  }

  @Override
  public InputStream read() throws IOException {
    Reserved held = held();
    return new SequenceInputStream(
        new ByteArrayInputStream(held.memory()), new ByteArrayInputStream(held.checksum()));
  }

  @Override
  public void commit() throws IOException {
    Reserved held = reserved.getAndSet(null);
    if (held == null) {
      throw new ClosedChannelException();
    }
    held.output().commit();
  }

  @Override
  public void abort() {
    Reserved held = reserved.getAndSet(null);
    if (held != null) {
      held.output().abort();
    }
  }

  @Override
  public boolean holdsMemory() {
    return true;
  }

  @Override
  public String description() {
    return "RANGES IN MEMORY";
  }
}
