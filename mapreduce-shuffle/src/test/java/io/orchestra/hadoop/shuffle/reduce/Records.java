package io.orchestra.hadoop.shuffle.reduce;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.IFileOutputStream;

/**
 * What a map has for a reducer: values by key. No two maps have the same key.
 *
 * @param values by key
 */
record Records(Map<String, String> values) {

  /**
   * @param map its number
   * @param count how many
   * @param length of each value
   */
  static Records random(int map, int reduce, int count, int length) {
    Random random = new Random(31L * map + reduce);
    Map<String, String> values = new TreeMap<>();
    for (int number = 0; number < count; number++) {
      String key = "%08x-%d-%d-%d".formatted(random.nextInt(), map, reduce, number);
      StringBuilder value = new StringBuilder();
      IntStream.range(0, length).forEach(at -> value.append((char) ('a' + random.nextInt(26))));
      values.put(key, value.toString());
    }
    return new Records(values);
  }

  /** What has the right checksum, and no record: the first has a length that cannot be. */
  static ShuffledJob.Part unreadable(int length) throws IOException {
    byte[] garbage = new byte[length];
    Arrays.fill(garbage, Byte.MIN_VALUE);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (IFileOutputStream checked = new IFileOutputStream(bytes)) {
      checked.write(garbage);
    }
    return new ShuffledJob.Part(bytes.toByteArray(), length);
  }

  /** As a map task writes them. */
  ShuffledJob.Part part(Configuration conf, CompressionCodec codec) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    IFile.Writer<Text, Text> writer =
        new IFile.Writer<>(
            conf, new FSDataOutputStream(bytes, null), Text.class, Text.class, codec, null);
    for (Map.Entry<String, String> record : values.entrySet()) {
      writer.append(new Text(record.getKey()), new Text(record.getValue()));
    }
    writer.close();
    return new ShuffledJob.Part(bytes.toByteArray(), writer.getRawLength());
  }
}
