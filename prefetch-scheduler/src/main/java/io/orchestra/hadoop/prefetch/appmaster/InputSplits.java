package io.orchestra.hadoop.prefetch.appmaster;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.input.CombineFileSplit;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Reads which parts of which files a map reads, as its task does (MapTask.getSplitDetails).
 *
 * <p>Hadoop's own parts of files are read without any code of the job. Of other splits only those
 * that combine parts of files tell what they are made of: their class comes from the application
 * master's class path, on which the job's jars are, and reads itself.
 */
final class InputSplits {
  private static final int LONGEST_NAME = 4096;

  /** Both of Hadoop's, which write the same. */
  private static final Set<String> PARTS_OF_FILES =
      Set.of(FileSplit.class.getName(), org.apache.hadoop.mapred.FileSplit.class.getName());

  private InputSplits() {}

  /**
   * The parts of files that a map reads, in the order in which it does.
   *
   * @return empty if it is not known to read parts of files
   * @throws IOException if the file of splits cannot be read
   */
  static List<FileSplit> read(Configuration conf, TaskSplitIndex index) throws IOException {
    Path splits = new Path(index.getSplitLocation());
    FileSystem fileSystem = splits.getFileSystem(conf);
    try (FSDataInputStream in = fileSystem.open(splits)) {
      in.seek(index.getStartOffset());
      String name = Text.readString(in, LONGEST_NAME);
      if (PARTS_OF_FILES.contains(name)) {
        FileSplit split = new FileSplit();
        split.readFields(in);
        return List.of(split);
      }
      Optional<Class<? extends CombineFileSplit>> combined = combined(conf, name);
      if (combined.isEmpty()) {
        return List.of();
      }
      CombineFileSplit split = ReflectionUtils.newInstance(combined.get(), conf);
      split.readFields(in);
      return parts(split);
    }
  }

  /** The class of a split that combines parts of files; empty if it is none, or not to be had. */
  private static Optional<Class<? extends CombineFileSplit>> combined(
      Configuration conf, String name) {
    Class<?> found = conf.getClassByNameOrNull(name);
    return found != null && CombineFileSplit.class.isAssignableFrom(found)
        ? Optional.of(found.asSubclass(CombineFileSplit.class))
        : Optional.empty();
  }

  /** Hosts are left out: they are those of the whole split. */
  private static List<FileSplit> parts(CombineFileSplit split) {
    return IntStream.range(0, split.getNumPaths())
        .mapToObj(
            part ->
                new FileSplit(
                    split.getPath(part),
                    split.getOffset(part),
                    split.getLength(part),
                    new String[0]))
        .toList();
  }
}
