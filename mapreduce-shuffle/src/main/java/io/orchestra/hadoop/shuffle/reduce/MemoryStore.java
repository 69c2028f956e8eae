package io.orchestra.hadoop.shuffle.reduce;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;

/**
 * An output that is not compressed, in memory that Hadoop's merge has given for it. What is sent
 * ends with a checksum, which the merge does not want.
 */
final class MemoryStore implements RangeStore {
  private final MapOutput<?, ?> reserved;
  private final byte[] memory;
  private final byte[] checksum;

  /**
   * @param memory of {@code reserved}
   * @param length bytes, as the output is sent
   */
  MemoryStore(MapOutput<?, ?> reserved, byte[] memory, long length) {
    this.reserved = reserved;
    this.memory = memory;
    checksum = new byte[Math.toIntExact(length - memory.length)];
  }

  @Override
  public void write(long position, ByteBuffer bytes) {
    int at = Math.toIntExact(position);
    int data = Math.max(0, Math.min(bytes.remaining(), memory.length - at));
    if (data > 0) {
      bytes.get(memory, at, data);
    }
    if (bytes.hasRemaining()) {
      bytes.get(checksum, at + data - memory.length, bytes.remaining());
    }
  }

  @Override
  public InputStream read() {
    return new SequenceInputStream(
        new ByteArrayInputStream(memory), new ByteArrayInputStream(checksum));
  }

  @Override
  public void commit() throws IOException {
    reserved.commit();
  }

  @Override
  public void abort() {
    reserved.abort();
  }

  @Override
  public String description() {
    return "RANGES IN MEMORY";
  }
}
