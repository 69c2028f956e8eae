package io.orchestra.hadoop.shuffle.reduce;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.WeightedShuffle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.mapreduce.CryptoUtils;

/**
 * A map output for one reducer that nobody holds in memory: records of a megabyte each.
 *
 * @param count of records
 */
record LargeOutput(int count) {
  private static final int LINE = 8;

  private static String key(int number) {
    return "%08d".formatted(number);
  }

  private static String value(int number) {
    return "%07d ".formatted(number).repeat((1 << 20) / LINE);
  }

  /**
   * @param conf says whether it is encrypted
   */
  void write(ShuffledJob job, String attempt, Configuration conf) throws IOException {
    Path directory = Files.createDirectories(job.directory(attempt));
    IFile.Writer<Text, Text> writer =
        new IFile.Writer<>(
            conf,
            CryptoUtils.wrapIfNecessary(
                conf,
                new FSDataOutputStream(Files.newOutputStream(directory.resolve("file.out")), null)),
            Text.class,
            Text.class,
            null,
            null,
            true);
    for (int number = 0; number < count; number++) {
      writer.append(new Text(key(number)), new Text(value(number)));
    }
    writer.close();
    SpillRecord index = new SpillRecord(1);
    long padding = CryptoUtils.cryptoPadding(conf);
    index.putIndex(
        new IndexRecord(0, writer.getRawLength() + padding, writer.getCompressedLength() + padding),
        0);
    job.write(attempt, index);
  }

  /** Runs a reducer and fails unless it gets all of it. */
  void verify(Reducer reducer) throws IOException, InterruptedException {
    AtomicInteger next = new AtomicInteger();
    reducer.run(
        new WeightedShuffle<>(),
        (key, value) -> {
          int number = next.getAndIncrement();
          if (!key.equals(key(number)) || !value.equals(value(number))) {
            throw new AssertionError("record %d is not what was written".formatted(number));
          }
        });
    if (next.get() != count) {
      throw new AssertionError("%d records of %d".formatted(next.get(), count));
    }
  }
}
