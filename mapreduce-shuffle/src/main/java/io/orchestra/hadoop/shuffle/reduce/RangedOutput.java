package io.orchestra.hadoop.shuffle.reduce;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.IFileInputStream;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;
import org.apache.hadoop.util.Time;

/**
 * A map output that several lanes fetch in ranges. When all is there its checksum is verified, and
 * it goes to the merge as one that a single fetcher brought. Safe for concurrent use.
 */
final class RangedOutput<K, V> extends MapOutput<K, V> {
  private static final int BUFFER = 1 << 20;

  private final RangeStore store;
  private final long length;
  private final Runnable committed;
  private final long startMillis = Time.monotonicNow();

  // Guarded by this.
  private long received;
  private State state = State.COMING;

  private enum State {
    COMING,
    /** All is here, and whoever brought the last range hands it to the merge, or drops it. */
    FINISHED,
    ABANDONED
  }

  /**
   * @param length bytes, as it is sent
   * @param rawLength bytes, decompressed
   * @param committed run when the merge has it, and before the shuffle is over
   */
  RangedOutput(
      TaskAttemptID output, RangeStore store, long length, long rawLength, Runnable committed) {
    super(output, rawLength, true);
    this.store = store;
    this.length = length;
    this.committed = committed;
  }

  /** Bytes. */
  long length() {
    return length;
  }

  boolean holdsMemory() {
    return store.holdsMemory();
  }

  /** When its first range was begun, milliseconds of {@link Time#monotonicNow}. */
  long startMillis() {
    return startMillis;
  }

  /** Writes bytes that belong at {@code position}; each byte once. */
  void write(long position, ByteBuffer bytes) throws IOException {
    int count = bytes.remaining();
    store.write(position, bytes);
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
    boolean last = received == length && state == State.COMING;
    if (last) {
      state = State.FINISHED;
    }
    return last;
  }

  /**
   * It will be fetched otherwise; what lanes still bring is of no use.
   *
   * @return true once, and never when all of it is here: whoever is told has to abort it
   */
  synchronized boolean abandon() {
    boolean first = state == State.COMING && received < length;
    if (first) {
      state = State.ABANDONED;
    }
    return first;
  }

  synchronized boolean isAbandoned() {
    return state == State.ABANDONED;
  }

  /**
   * Reads all of it once.
   *
   * @throws IOException if its checksum is wrong
   */
  void verify(Configuration conf, Reporter reporter) throws IOException {
    byte[] buffer = new byte[BUFFER];
    try (IFileInputStream in = new IFileInputStream(store.read(), length, conf)) {
      while (in.read(buffer, 0, buffer.length) > 0) {
        reporter.progress();
      }
    }
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
    store.commit();
    committed.run();
  }

  @Override
  public void abort() {
    store.abort();
  }

  @Override
  public String getDescription() {
    return store.description();
  }
}
