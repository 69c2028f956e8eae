package io.orchestra.hadoop.shuffle.reduce;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.MergeManagerImpl;

/** The map outputs of one reducer that come in ranges now. Safe for concurrent use. */
final class RangedOutputs<K, V> {
  private final MergeManagerImpl<K, V> merger;
  private final MapOutputFile files;

  // Guarded by this.
  private final Map<TaskAttemptID, RangedOutput<K, V>> outputs = new HashMap<>();
  private final Set<TaskAttemptID> ended = new HashSet<>();
  private int arrived;

  /**
   * @param files where the merge finds its inputs
   */
  RangedOutputs(MergeManagerImpl<K, V> merger, MapOutputFile files) {
    this.merger = merger;
    this.files = files;
  }

  /**
   * An output, begun by whoever asks first.
   *
   * @return empty if it is whole, or not wanted in ranges any more
   * @throws IOException if there is no room on the local disks
   */
  synchronized Optional<RangedOutput<K, V>> get(TaskAttemptID output, Sources.Size size)
      throws IOException {
    if (ended.contains(output)) {
      return Optional.empty();
    }
    RangedOutput<K, V> known = outputs.get(output);
    if (known == null) {
      long length = size.share().own();
      Path file = Path.of(files.getInputFileForWrite(output.getTaskID(), length).toUri().getPath());
      known = new RangedOutput<>(output, merger, file, length, size.rawLength());
      outputs.put(output, known);
    }
    return Optional.of(known);
  }

  /** One has been fetched in ranges to its end, and went to the merge. */
  synchronized void arrived() {
    arrived++;
  }

  /** How many have. */
  synchronized int count() {
    return arrived;
  }

  /**
   * It is whole, or not wanted in ranges any more.
   *
   * @return false if that was known
   */
  synchronized boolean end(TaskAttemptID output) {
    outputs.remove(output);
    return ended.add(output);
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
