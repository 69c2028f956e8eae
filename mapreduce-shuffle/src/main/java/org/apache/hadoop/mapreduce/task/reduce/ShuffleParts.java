package org.apache.hadoop.mapreduce.task.reduce;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.mapreduce.TaskAttemptID;

/** Parts of Hadoop's shuffle that are used as they are. */
public final class ShuffleParts {
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

  /** Bytes, decompressed: larger map outputs are not kept in memory. */
  public static long largestInMemory(MergeManagerImpl<?, ?> merger) {
    return merger.maxSingleShuffleLimit;
  }

  /** What a reduce task fails with when its shuffle does. */
  public static IOException failure(String message, Throwable cause) {
    return new Shuffle.ShuffleError(message, cause);
  }
}
