package io.orchestra.hadoop.testbed.agent;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.util.Tool;

/**
 * A job that moves bytes and computes next to nothing: its maps read all of their input and make a
 * given number of random bytes, its reduces fetch those and write a given number.
 *
 * <p>Arguments after those that all of Hadoop's tools take: {@code INPUT OUTPUT MAP_BYTES SHARES
 * OUTPUT_BYTES}. {@code MAP_BYTES} is what a map makes on average: every third makes four times as
 * much as the other two. {@code SHARES} are whole numbers with commas between them, one for each
 * reduce, of what is shuffled and written; {@code -} for a job without reduces, whose maps write
 * what they make.
 *
 * <p>Tasks load this class from the jar of the job, with Hadoop's libraries only.
 */
public final class SyntheticJob extends Configured implements Tool {
  private static final String MAP_BYTES = "orchestra.bench.synthetic.map-bytes";
  private static final String SHARES = "orchestra.bench.synthetic.shares";
  private static final String OUTPUT_BYTES = "orchestra.bench.synthetic.output-bytes";
  private static final int ARGUMENTS = 5;

  /** So large that sorting costs nothing. */
  private static final int RECORD = 50_000;

  private static final int CHUNK = 64 << 10;
  private static final int MAP_SHIFT = 24;

  /** What maps make, by their number; two on average. */
  private static final int[] WEIGHTS = {4, 1, 1};

  @Override
  public int run(String[] arguments)
      throws ClassNotFoundException, IOException, InterruptedException {
    if (arguments.length != ARGUMENTS) {
      throw new IllegalArgumentException("INPUT OUTPUT MAP_BYTES SHARES OUTPUT_BYTES");
    }
    Configuration conf = getConf();
    conf.set(MAP_BYTES, arguments[2]);
    conf.set(OUTPUT_BYTES, arguments[4]);
    boolean reduces = !arguments[3].equals("-");
    if (reduces) {
      conf.set(SHARES, arguments[3]);
    }
    Job job = Job.getInstance(conf, "synthetic");
    job.setJarByClass(SyntheticJob.class);
    job.setInputFormatClass(Chunks.class);
    job.setMapperClass(Maker.class);
    job.setPartitionerClass(DemandJob.ByKey.class);
    job.setReducerClass(Writer.class);
    job.setNumReduceTasks(reduces ? shares(conf).length : 0);
    job.setOutputKeyClass(LongWritable.class);
    job.setOutputValueClass(BytesWritable.class);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    FileInputFormat.addInputPaths(job, arguments[0]);
    FileOutputFormat.setOutputPath(job, new Path(arguments[1]));
    return job.waitForCompletion(false) ? 0 : 1;
  }

  private static long[] shares(Configuration conf) {
    return Arrays.stream(conf.getTrimmedStrings(SHARES)).mapToLong(Long::parseLong).toArray();
  }

  /** Writes so many bytes as records whose keys begin at a number. */
  @FunctionalInterface
  private interface Sink {
    void write(LongWritable key, BytesWritable value) throws IOException, InterruptedException;
  }

  private static void make(long bytes, long firstKey, Random random, Sink sink)
      throws IOException, InterruptedException {
    byte[] record = new byte[RECORD];
    random.nextBytes(record);
    long left = bytes;
    for (long number = 0; left > 0; number++) {
      int length = (int) Math.min(left, RECORD);
      record[(int) (number % RECORD)]++;
      sink.write(new LongWritable(firstKey + number), new BytesWritable(record, length));
      left -= length;
    }
  }

  /** Reads its input to the end, and then makes what it is told. */
  public static final class Maker
      extends Mapper<NullWritable, BytesWritable, LongWritable, BytesWritable> {
    @Override
    public void run(Context context) throws IOException, InterruptedException {
      while (context.nextKeyValue()) {
        context.progress();
      }
      Configuration conf = context.getConfiguration();
      int map = context.getTaskAttemptID().getTaskID().getId();
      Random random = new Random(map);
      long bytes = conf.getLong(MAP_BYTES, 0) * WEIGHTS[map % WEIGHTS.length] / 2;
      if (context.getNumReduceTasks() == 0) {
        make(bytes, 0, random, context::write);
        return;
      }
      long[] shares = shares(conf);
      long all = LongStream.of(shares).sum();
      for (int reduce = 0; reduce < shares.length; reduce++) {
        make(
            bytes * shares[reduce] / all,
            DemandJob.firstKey(reduce) | ((long) map << MAP_SHIFT),
            random,
            context::write);
      }
    }
  }

  /** Reads all that was shuffled, and then writes what it is told. */
  public static final class Writer
      extends Reducer<LongWritable, BytesWritable, LongWritable, BytesWritable> {
    @Override
    public void run(Context context) throws IOException, InterruptedException {
      while (context.nextKey()) {
        context.progress();
      }
      Configuration conf = context.getConfiguration();
      long[] shares = shares(conf);
      int reduce = context.getTaskAttemptID().getTaskID().getId();
      make(
          conf.getLong(OUTPUT_BYTES, 0) * shares[reduce] / LongStream.of(shares).sum(),
          0,
          new Random(reduce),
          context::write);
    }
  }

  /** Parts of files, in chunks that mean nothing. */
  public static final class Chunks extends FileInputFormat<NullWritable, BytesWritable> {
    @Override
    public RecordReader<NullWritable, BytesWritable> createRecordReader(
        InputSplit split, TaskAttemptContext context) {
      return new ChunkReader();
    }
  }

  private static final class ChunkReader extends RecordReader<NullWritable, BytesWritable> {
    private final byte[] chunk = new byte[CHUNK];
    private FSDataInputStream in;
    private long length;
    private long read;
    private int last;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
      FileSplit part = (FileSplit) split;
      in = part.getPath().getFileSystem(context.getConfiguration()).open(part.getPath());
      in.seek(part.getStart());
      length = part.getLength();
    }

    @Override
    public boolean nextKeyValue() throws IOException {
      last = (int) Math.min(CHUNK, length - read);
      in.readFully(chunk, 0, last);
      read += last;
      return last > 0;
    }

    @Override
    public NullWritable getCurrentKey() {
      return NullWritable.get();
    }

    @Override
    public BytesWritable getCurrentValue() {
      return new BytesWritable(chunk, last);
    }

    @Override
    public float getProgress() {
      return length == 0 ? 1 : (float) read / length;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
