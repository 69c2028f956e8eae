package io.orchestra.hadoop.shuffle.reduce;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.IFileInputStream;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.MergeManagerImpl;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleParts;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A map output that several lanes fetch in ranges, into one file. When all is there its checksum is
 * verified, and the file goes to the merge as one that a single fetcher wrote. Safe for concurrent
 * use.
 */
final class RangedOutput<K, V> extends MapOutput<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(RangedOutput.class);
  private static final int BUFFER = 1 << 20;

  private final MergeManagerImpl<K, V> merger;
  private final Path file;
  private final Path temporary;
  private final FileChannel channel;
  private final long length;
  private final long startMillis = Time.monotonicNow();

  // Guarded by this.
  private long received;
  private boolean abandoned;
  private boolean finished;

  /**
   * @param file where the merge is to find it
   * @param length bytes, as it is sent
   * @param rawLength bytes, decompressed
   */
  RangedOutput(
      TaskAttemptID output, MergeManagerImpl<K, V> merger, Path file, long length, long rawLength)
      throws IOException {
    super(output, rawLength, true);
    this.merger = merger;
    this.file = file;
    this.length = length;
    // Attempts of one map may be under way at the same time.
    temporary = file.resolveSibling(output + ".ranges");
    channel =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
  }

  /** Bytes. */
  long length() {
    return length;
  }

  /** When its first range was begun, milliseconds of {@link Time#monotonicNow}. */
  long startMillis() {
    return startMillis;
  }

  /** Writes bytes that belong at {@code position}; each byte once. */
  void write(long position, ByteBuffer bytes) throws IOException {
    int count = bytes.remaining();
    long at = position;
    while (bytes.hasRemaining()) {
      at += channel.write(bytes, at);
    }
    synchronized (this) {
      received += count;
    }
  }

  /**
   * Whether all bytes are here.
   *
   * @return true once: whoever is told has to finish it
   */
  synchronized boolean finish() {
    boolean last = received == length && !abandoned && !finished;
    finished |= last;
    return last;
  }

  /**
   * It will be fetched otherwise; what lanes still bring is of no use.
   *
   * @return false if that was known
   */
  synchronized boolean abandon() {
    boolean first = !abandoned;
    abandoned = true;
    return first;
  }

  synchronized boolean isAbandoned() {
    return abandoned;
  }

  /**
   * Reads all of it once.
   *
   * @throws IOException if its checksum is wrong
   */
  void verify(Configuration conf, Reporter reporter) throws IOException {
    channel.position(0);
    byte[] buffer = new byte[BUFFER];
    try (IFileInputStream in = new IFileInputStream(bytes(), length, conf)) {
      while (in.read(buffer, 0, buffer.length) > 0) {
        reporter.progress();
      }
    }
  }

  /** Without closing the file at its end. */
  private InputStream bytes() {
    return new FilterInputStream(Channels.newInputStream(channel)) {
      @Override
      public void close() {}
    };
  }

  @Override
  public void shuffle(
      MapHost host,
      InputStream input,
      long compressedLength,
      long decompressedLength,
      ShuffleClientMetrics metrics,
      Reporter reporter) {
    throw new UnsupportedOperationException("comes in ranges");
  }

  @Override
  public void commit() throws IOException {
    channel.close();
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    // Without a scheme: Hadoop asks for room for what it merges by the name of the first input.
    ShuffleParts.merge(merger, new org.apache.hadoop.fs.Path(file.toString()), getSize(), length);
  }

  @Override
  public void abort() {
    try {
      channel.close();
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      LOG.warn("Cannot delete {}", temporary, e);
    }
  }

  @Override
  public String getDescription() {
    return "RANGES";
  }
}
