package io.orchestra.hadoop.shuffle.reduce;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.MergeManagerImpl;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleParts;

/** The map outputs of one reducer that come in ranges now. Safe for concurrent use. */
final class RangedOutputs<K, V> {
  /** Of the checksum at the end of what is sent, bytes. */
  private static final int CHECKSUM = 4;

  /** There is no memory for an output until others have been merged. */
  static final class NoMemoryException extends IOException {
    private static final long serialVersionUID = 1L;

    NoMemoryException(TaskAttemptID output) {
      super("no memory for " + output);
    }
  }

  private final MergeManagerImpl<K, V> merger;
  private final MapOutputFile files;
  private final long largestInMemory;

  // Guarded by this.
  private final Map<TaskAttemptID, RangedOutput<K, V>> outputs = new HashMap<>();
  private final Set<TaskAttemptID> ended = new HashSet<>();

  private final AtomicInteger arrived = new AtomicInteger();

  /**
   * @param files where the merge finds its inputs
   * @param largestInMemory bytes, decompressed: larger outputs go to a file
   */
  RangedOutputs(MergeManagerImpl<K, V> merger, MapOutputFile files, long largestInMemory) {
    this.merger = merger;
    this.files = files;
    this.largestInMemory = largestInMemory;
  }

  /**
   * An output, begun by whoever asks first.
   *
   * @return empty if it is whole, or not wanted in ranges any more
   * @throws NoMemoryException if it is to be asked for again in a moment
   * @throws IOException once, if there is no room on the local disks: it does not come in ranges
   */
  synchronized Optional<RangedOutput<K, V>> get(TaskAttemptID output, Sources.Size size)
      throws IOException {
    if (ended.contains(output)) {
      return Optional.empty();
    }
    RangedOutput<K, V> known = outputs.get(output);
    if (known == null) {
      known = begin(output, size.share().own(), size.rawLength());
      outputs.put(output, known);
    }
    return Optional.of(known);
  }

  private RangedOutput<K, V> begin(TaskAttemptID output, long length, long rawLength)
      throws IOException {
    try {
      return new RangedOutput<>(
          output, store(output, length, rawLength), length, rawLength, arrived::incrementAndGet);
    } catch (NoMemoryException e) {
      throw e;
    } catch (IOException e) {
      ended.add(output);
      throw e;
    }
  }

  private RangeStore store(TaskAttemptID output, long length, long rawLength) throws IOException {
    if (rawLength <= largestInMemory && length == rawLength + CHECKSUM) {
      MapOutput<K, V> reserved =
          ShuffleParts.reserve(merger, output, rawLength)
              .orElseThrow(() -> new NoMemoryException(output));
      return new MemoryStore(reserved, ShuffleParts.memory(reserved), length);
    }
    Path file = Path.of(files.getInputFileForWrite(output.getTaskID(), length).toUri().getPath());
    return new FileStore(output, merger, file, length, rawLength);
  }

  /** How many have been fetched in ranges to their end, and went to the merge. */
  int count() {
    return arrived.get();
  }

  /** It is whole, or not wanted in ranges any more. */
  synchronized void end(TaskAttemptID output) {
    outputs.remove(output);
    ended.add(output);
  }

  /** Drops what is not whole and not needed any more, though lanes may still bring some of it. */
  synchronized void retain(Predicate<TaskAttemptID> needed) {
    List<RangedOutput<K, V>> unneeded =
        outputs.values().stream().filter(output -> !needed.test(output.getMapId())).toList();
    for (RangedOutput<K, V> output : unneeded) {
      end(output.getMapId());
      if (output.abandon()) {
        output.abort();
      }
    }
  }

  /** Drops all that is not whole. */
  void abort() {
    retain(output -> false);
  }
}
