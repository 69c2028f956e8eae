package io.orchestra.hadoop.shuffle.reduce;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.mapred.AMFeedback;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MROutputFiles;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ReduceTasks;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.mapred.lib.IdentityReducer;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.util.Progress;

/**
 * A reduce task with a shuffle and nothing else, and the application's master that tells it of
 * finished maps.
 */
final class Reducer {
  private final JobConf conf;
  private TaskAttemptID id;
  private final Path directory;
  private final ShuffledJob job;
  private final Counters counters = new Counters();
  private final TaskStatus status = ReduceTasks.status();
  private final Progress copying = new Progress();
  private final List<TaskCompletionEvent> events = new ArrayList<>();
  private CompressionCodec codec;
  private boolean combining;
  private boolean deaf;
  private Map<TaskAttemptID, MapOutputFile> local;

  Reducer(Path directory, ShuffledJob job, int maps, int reduces, int number) throws IOException {
    this(new JobConf(), directory, job, maps, reduces, number);
  }

  Reducer(JobConf conf, Path directory, ShuffledJob job, int maps, int reduces, int number)
      throws IOException {
    this.conf = conf;
    this.directory = Files.createDirectories(directory);
    this.job = job;
    id =
        new TaskAttemptID(
            new org.apache.hadoop.mapred.TaskID(
                org.apache.hadoop.mapred.JobID.forName(ShuffledJob.ID), TaskType.REDUCE, number),
            0);
    conf.set(MRConfig.LOCAL_DIR, directory.toString());
    conf.setNumMapTasks(maps);
    conf.setNumReduceTasks(reduces);
    conf.setMapOutputKeyClass(Text.class);
    conf.setMapOutputValueClass(Text.class);
    // Nobody waits for long: a host that is gone has failed soon, and is soon tried anew.
    conf.setInt("mapreduce.reduce.shuffle.connect.timeout", 500);
    conf.setLong("mapreduce.reduce.shuffle.retry-delay.max.ms", 300);
    // As long as can be: the machine may be busy.
    conf.set("orchestra.shuffle.size-wait", "5s");
  }

  JobConf conf() {
    return conf;
  }

  /** Which attempt this is; the first, 0, unless this is called. */
  void attempt(int number) {
    id = new TaskAttemptID(id.getTaskID(), number);
  }

  void compressed(CompressionCodec by) {
    codec = by;
  }

  /** The job has a combiner, which changes nothing. */
  void combining() {
    combining = true;
  }

  /** Its master takes no more reports of progress. */
  void deafMaster() {
    deaf = true;
  }

  /**
   * The only map has run in this process.
   *
   * @param output its output
   */
  void local(String attempt, Path output) {
    MapOutputFile file =
        new MROutputFiles() {
          @Override
          public org.apache.hadoop.fs.Path getOutputFile() {
            return new org.apache.hadoop.fs.Path(output.toString());
          }
        };
    local = Map.of(TaskAttemptID.forName(attempt), file);
  }

  /** What lies in its local directory. */
  List<String> files() {
    while (true) {
      try (Stream<Path> files = Files.walk(directory)) {
        return files.filter(Files::isRegularFile).map(Path::toString).toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (UncheckedIOException e) {
        // One that was deleted meanwhile is not there.
        if (!(e.getCause() instanceof NoSuchFileException)) {
          throw e;
        }
      }
    }
  }

  void finished(String attempt, ShuffleNode node) {
    finished(attempt, node.url());
  }

  void finished(String attempt, String service) {
    tell(attempt, TaskCompletionEvent.Status.SUCCEEDED, service);
  }

  void obsolete(String attempt) {
    tell(attempt, TaskCompletionEvent.Status.OBSOLETE, "");
  }

  private synchronized void tell(
      String attempt, TaskCompletionEvent.Status outcome, String service) {
    TaskAttemptID map = TaskAttemptID.forName(attempt);
    events.add(
        new TaskCompletionEvent(
            events.size(), map, map.getTaskID().getId(), true, outcome, service));
  }

  private synchronized MapTaskCompletionEventsUpdate events(int from, int most) {
    List<TaskCompletionEvent> told = events.subList(from, Math.min(events.size(), from + most));
    return new MapTaskCompletionEventsUpdate(told.toArray(TaskCompletionEvent[]::new), false);
  }

  /** Maps whose outputs it said it could not fetch. */
  List<String> accused() {
    return List.copyOf(status.getFetchFailedMaps()).stream().map(Object::toString).toList();
  }

  long counter(String name) {
    return counters.findCounter("test", name).getCounter();
  }

  /** All counters, by name. */
  Map<String, Long> counters() {
    Map<String, Long> values = new TreeMap<>();
    for (Counters.Group group : counters) {
      for (Counters.Counter counter : group) {
        values.put(group.getName() + "." + counter.getName(), counter.getCounter());
      }
    }
    return values;
  }

  /** How much has been copied, 0 to 1, and what the user is told of it. */
  String progress() {
    return copying.get() + ", " + status.getPhase() + ", " + status.getStateString();
  }

  /**
   * @return values by key, in the order in which a reducer would see them
   */
  Map<String, String> run(ShuffleConsumerPlugin<Text, Text> shuffle)
      throws IOException, InterruptedException {
    Map<String, String> values = new TreeMap<>();
    run(shuffle, values::put);
    return values;
  }

  /**
   * @param values is told of each key and its value, in the order in which a reducer would see them
   */
  void run(ShuffleConsumerPlugin<Text, Text> shuffle, BiConsumer<String, String> values)
      throws IOException, InterruptedException {
    shuffle.init(context());
    RawKeyValueIterator records = shuffle.run();
    String before = "";
    while (records.next()) {
      String key = text(records.getKey());
      if (key.compareTo(before) <= 0) {
        throw new AssertionError(key + " after " + before);
      }
      before = key;
      values.accept(key, text(records.getValue()));
    }
    records.close();
    shuffle.close();
  }

  private static String text(org.apache.hadoop.io.DataInputBuffer record) throws IOException {
    Text text = new Text();
    text.readFields(record);
    return new String(text.getBytes(), 0, text.getLength(), StandardCharsets.UTF_8);
  }

  ShuffleConsumerPlugin.Context<Text, Text> context() throws IOException {
    MROutputFiles files = new MROutputFiles();
    files.setConf(conf);
    return new ShuffleConsumerPlugin.Context<>(
        id,
        conf,
        FileSystem.getLocal(conf),
        umbilical(),
        new LocalDirAllocator(MRConfig.LOCAL_DIR),
        new CountingReporter(),
        codec,
        combining ? IdentityReducer.class : null,
        combining
            ? new Task.CombineOutputCollector<>(count("combine output"), () -> {}, conf)
            : null,
        count("spilled"),
        count("combine input"),
        count("shuffled"),
        count("bytes"),
        count("failed"),
        count("merged"),
        status,
        copying,
        new Progress(),
        ReduceTasks.task(id, conf.getNumMapTasks(), job.key()),
        files,
        local);
  }

  private Counters.Counter count(String name) {
    return counters.findCounter("test", name);
  }

  private TaskUmbilicalProtocol umbilical() {
    return (TaskUmbilicalProtocol)
        Proxy.newProxyInstance(
            Reducer.class.getClassLoader(),
            new Class<?>[] {TaskUmbilicalProtocol.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getMapCompletionEvents" ->
                      events((Integer) arguments[1], (Integer) arguments[2]);
                  case "statusUpdate" -> heard();
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private AMFeedback heard() throws IOException {
    if (deaf) {
      throw new IOException("on purpose");
    }
    AMFeedback feedback = new AMFeedback();
    feedback.setTaskFound(true);
    return feedback;
  }

  /** Hadoop's own that does nothing has no counters. */
  private final class CountingReporter implements Reporter {
    @Override
    public Counters.Counter getCounter(Enum<?> name) {
      return counters.findCounter(name);
    }

    @Override
    public Counters.Counter getCounter(String group, String name) {
      return counters.findCounter(group, name);
    }

    @Override
    public void incrCounter(Enum<?> key, long amount) {
      counters.incrCounter(key, amount);
    }

    @Override
    public void incrCounter(String group, String counter, long amount) {
      counters.incrCounter(group, counter, amount);
    }

    @Override
    public InputSplit getInputSplit() {
      throw new UnsupportedOperationException("a reducer has none");
    }

    @Override
    public float getProgress() {
      return 0;
    }

    @Override
    public void progress() {}

    @Override
    public void setStatus(String text) {}
  }
}
