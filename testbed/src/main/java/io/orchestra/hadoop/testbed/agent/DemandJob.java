package io.orchestra.hadoop.testbed.agent;

import java.io.IOException;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/**
 * A job whose maps have as many bytes for each reducer as it is told: one map for each file of the
 * input, where the file's block is, and the file's name stands for what its map has. Bytes are
 * random, and the same in each run. A reducer writes how many it got, and their checksum.
 *
 * <p>Tasks load this class from the jar of the job, with Hadoop's libraries only.
 */
final class DemandJob {
  /** Followed by the name of a file: bytes for each reducer, with commas between them. */
  private static final String DEMAND = "orchestra.bench.demand.";

  /** So large that sorting costs nothing. */
  private static final int VALUE_BYTES = 50_000;

  private static final int MAP_SHIFT = 24;
  private static final int REDUCER_SHIFT = 48;

  private DemandJob() {}

  static Job create(Configuration conf, Path input, Path output, int reducers) throws IOException {
    Job job = Job.getInstance(conf, "demand");
    job.setJarByClass(DemandJob.class);
    job.setMapperClass(Demanded.class);
    job.setPartitionerClass(ByKey.class);
    job.setReducerClass(Checked.class);
    job.setMapOutputKeyClass(LongWritable.class);
    job.setMapOutputValueClass(BytesWritable.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(Text.class);
    job.setNumReduceTasks(reducers);
    FileInputFormat.addInputPath(job, input);
    FileOutputFormat.setOutputPath(job, output);
    return job;
  }

  /** The smallest key of those that go to a reducer. */
  static long firstKey(int reducer) {
    return (long) reducer << REDUCER_SHIFT;
  }

  /** Makes what the name of its file stands for. */
  public static final class Demanded
      extends Mapper<LongWritable, Text, LongWritable, BytesWritable> {
    @Override
    public void run(Context context) throws IOException, InterruptedException {
      String file = ((FileSplit) context.getInputSplit()).getPath().getName();
      String[] demand = context.getConfiguration().getTrimmedStrings(DEMAND + file);
      if (demand.length != context.getNumReduceTasks()) {
        throw new IOException("nothing is known of " + file);
      }
      long map = context.getTaskAttemptID().getTaskID().getId();
      Random random = new Random(file.hashCode());
      byte[] value = new byte[VALUE_BYTES];
      for (int reducer = 0; reducer < demand.length; reducer++) {
        random.nextBytes(value);
        long left = Long.parseLong(demand[reducer]);
        for (long number = 0; left > 0; number++) {
          int length = (int) Math.min(left, VALUE_BYTES);
          value[(int) (number % VALUE_BYTES)]++;
          context.write(
              new LongWritable(firstKey(reducer) | (map << MAP_SHIFT) | number),
              new BytesWritable(value, length));
          left -= length;
        }
      }
    }
  }

  /** The key says which reducer it is for. */
  public static final class ByKey extends Partitioner<LongWritable, BytesWritable> {
    @Override
    public int getPartition(LongWritable key, BytesWritable value, int partitions) {
      return (int) (key.get() >>> REDUCER_SHIFT);
    }
  }

  /** Writes one line. */
  public static final class Checked extends Reducer<LongWritable, BytesWritable, Text, Text> {
    private final CRC32C sum = new CRC32C();
    private long bytes;

    @Override
    protected void reduce(LongWritable key, Iterable<BytesWritable> values, Context context) {
      for (BytesWritable value : values) {
        sum.update(value.getBytes(), 0, value.getLength());
        bytes += value.getLength();
      }
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      context.write(new Text(Long.toString(bytes)), new Text(Long.toHexString(sum.getValue())));
    }
  }
}
