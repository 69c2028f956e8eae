package org.apache.hadoop.mapreduce.task.reduce;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Parts of Hadoop's shuffle that are used as they are. */
public final class ShuffleParts {
  private static final Logger LOG = LoggerFactory.getLogger(ShuffleParts.class);

  private ShuffleParts() {}

  /**
   * Asks the application's master for finished maps, on a thread of its own.
   *
   * @param batch how many events to ask for at once
   * @return ends the thread
   */
  public static <K, V> Closeable followEvents(
      TaskAttemptID reduce,
      TaskUmbilicalProtocol umbilical,
      ShuffleScheduler<K, V> scheduler,
      ExceptionReporter reporter,
      int batch) {
    EventFetcher<K, V> events = new EventFetcher<>(reduce, umbilical, scheduler, reporter, batch);
    events.start();
    return events::shutDown;
  }

  /**
   * Hands a map output that is in a file to the merge.
   *
   * @param rawLength bytes, decompressed
   * @param length bytes of the file
   */
  public static <K, V> void merge(
      MergeManagerImpl<K, V> merger, Path file, long rawLength, long length) {
    merger.closeOnDiskFile(new MergeManagerImpl.CompressAwarePath(file, rawLength, length));
  }

  /**
   * Ends a merge whose result nobody wants: frees what it holds in memory at once, and its threads,
   * on a daemon thread, when they have done what they do now.
   */
  public static void discard(MergeManagerImpl<?, ?> merger) {
    synchronized (merger) {
      merger.inMemoryMapOutputs.clear();
      merger.inMemoryMergedMapOutputs.clear();
      merger.onDiskMapOutputs.clear();
    }
    Thread thread = new Thread(() -> end(merger), "orchestra-shuffle-discard");
    thread.setDaemon(true);
    thread.start();
  }

  private static void end(MergeManagerImpl<?, ?> merger) {
    try {
      // All there is to merge is nothing.
      merger.close().close();
    } catch (Throwable e) {
      LOG.debug("A merge that is not wanted did not end", e);
    }
  }

  /**
   * Memory for a map output, which is given back when it is aborted or has been merged.
   *
   * @param rawLength bytes, decompressed; not more than {@link #largestInMemory}
   * @return empty if there is none now
   */
  public static <K, V> Optional<MapOutput<K, V>> reserve(
      MergeManagerImpl<K, V> merger, TaskAttemptID output, long rawLength) throws IOException {
    return Optional.ofNullable(merger.reserve(output, rawLength, 0));
  }

  /**
   * @param reserved in memory
   */
  public static byte[] memory(MapOutput<?, ?> reserved) {
    return ((InMemoryMapOutput<?, ?>) reserved).getMemory();
  }

  /** Bytes, decompressed: larger map outputs are not kept in memory. */
  public static long largestInMemory(MergeManagerImpl<?, ?> merger) {
    return merger.maxSingleShuffleLimit;
  }

  /** Bytes that map outputs in memory may hold together. */
  public static long memoryLimit(MergeManagerImpl<?, ?> merger) {
    return merger.memoryLimit;
  }

  /** What a reduce task fails with when its shuffle does. */
  public static IOException failure(String message, Throwable cause) {
    return new Shuffle.ShuffleError(message, cause);
  }
}
