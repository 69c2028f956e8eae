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
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.MergeManagerImpl;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleParts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An output that is too large for memory: in a file, as a single fetcher of Hadoop's writes it. */
final class FileStore implements RangeStore {
  private static final Logger LOG = LoggerFactory.getLogger(FileStore.class);

  private final MergeManagerImpl<?, ?> merger;
  private final Path file;
  private final Path temporary;
  private final FileChannel channel;

  /** What the task's counters, and its limit of local bytes, are made of. */
  private final FileSystem.Statistics statistics =
      FileSystem.getStatistics("file", RawLocalFileSystem.class);

  private final long length;
  private final long rawLength;

  /**
   * @param file where the merge is to find it
   * @param length bytes, as it is sent
   * @param rawLength bytes, decompressed
   */
  FileStore(
      TaskAttemptID output, MergeManagerImpl<?, ?> merger, Path file, long length, long rawLength)
      throws IOException {
    this.merger = merger;
    this.file = file;
    this.length = length;
    this.rawLength = rawLength;
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

  @Override
  public void write(long position, ByteBuffer bytes) throws IOException {
    long at = position;
    while (bytes.hasRemaining()) {
      at += channel.write(bytes, at);
    }
    statistics.incrementBytesWritten(at - position);
  }

  @Override
  public InputStream read() throws IOException {
    channel.position(0);
    return new FilterInputStream(Channels.newInputStream(channel)) {
      @Override
      public void close() {}
    };
  }

  @Override
  public void commit() throws IOException {
    channel.close();
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    // Without a scheme: Hadoop asks for room for what it merges by the name of the first input.
    ShuffleParts.merge(merger, new org.apache.hadoop.fs.Path(file.toString()), rawLength, length);
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
  public boolean holdsMemory() {
    return false;
  }

  @Override
  public String description() {
    return "RANGES";
  }
}
