package io.orchestra.hadoop.testbed.agent;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;

/**
 * Lines of text, to maps that work on no more than so many bytes a second: all hosts share the few
 * processors of this machine, and what a map computes on a host of its own is time that passes
 * here. Time in which a map waits for its input is not made up for.
 */
public final class PacedTextInputFormat extends TextInputFormat {
  /** Bytes per second of each map. */
  public static final String RATE = "orchestra.testbed.map-rate";

  /** Whether maps tell of more input than they have read: each of another part of it more. */
  public static final String MISLEADS = "orchestra.testbed.map-misleads";

  private static final long STEP = 64 << 10;

  @Override
  public RecordReader<LongWritable, Text> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new PacedReader(context.getConfiguration().getLong(RATE, Long.MAX_VALUE));
  }

  private static final class PacedReader extends RecordReader<LongWritable, Text> {
    private final LineRecordReader lines = new LineRecordReader();
    private final double nanosPerByte;
    private long paidFor = -1;
    private long workedUntil;

    private PacedReader(long rate) {
      nanosPerByte = TimeUnit.SECONDS.toNanos(1) / (double) rate;
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
      lines.initialize(split, context);
      if (context.getConfiguration().getBoolean(MISLEADS, false)) {
        FileSplit file = (FileSplit) split;
        double part = new SplittableRandom(context.getTaskAttemptID().hashCode()).nextDouble();
        count(file.getPath(), (long) (part * file.getLength()));
      }
      workedUntil = System.nanoTime();
    }

    /** The framework takes a map's progress from what its file system has counted meanwhile. */
    @SuppressWarnings("deprecation")
    private static void count(Path file, long bytes) {
      for (FileSystem.Statistics statistics : FileSystem.getAllStatistics()) {
        if (statistics.getScheme().equals(file.toUri().getScheme())) {
          statistics.incrementBytesRead(bytes);
        }
      }
    }

    @Override
    public boolean nextKeyValue() throws IOException, InterruptedException {
      boolean found = lines.nextKeyValue();
      long position = found ? lines.getCurrentKey().get() : paidFor;
      if (paidFor < 0) {
        paidFor = position;
      }
      if (position - paidFor >= STEP) {
        work(position - paidFor);
        paidFor = position;
      }
      return found;
    }

    private void work(long bytes) throws InterruptedException {
      long now = System.nanoTime();
      workedUntil = Math.max(workedUntil, now - (long) (STEP * nanosPerByte));
      workedUntil += (long) (bytes * nanosPerByte);
      TimeUnit.NANOSECONDS.sleep(workedUntil - now);
    }

    @Override
    public LongWritable getCurrentKey() {
      return lines.getCurrentKey();
    }

    @Override
    public Text getCurrentValue() {
      return lines.getCurrentValue();
    }

    @Override
    public float getProgress() throws IOException {
      return lines.getProgress();
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }
}
