package io.orchestra.hadoop.testbed.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SyntheticJobTest {
  private static final int FILES = 3;

  @TempDir private Path directory;

  @Test
  void reducesWriteTheirShares() throws Exception {
    run("100000", "3,1", "400000");
    assertThat(bytes("part-r-00000")).isEqualTo(300_000);
    assertThat(bytes("part-r-00001")).isEqualTo(100_000);
    assertThat(parts()).isEqualTo(2);
  }

  @Test
  void withoutReducesMapsWriteWhatTheyMakeEveryThirdFourTimesAsMuch() throws Exception {
    run("120000", "-", "0");
    assertThat(bytes("part-m-00000")).isEqualTo(240_000);
    assertThat(bytes("part-m-00001")).isEqualTo(60_000);
    assertThat(bytes("part-m-00002")).isEqualTo(60_000);
    assertThat(parts()).isEqualTo(FILES);
  }

  @Test
  void argumentsAreCounted() {
    assertThatThrownBy(() -> new SyntheticJob().run(new String[] {"in", "out"}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** In this process, as Hadoop's local runner does it. */
  private void run(String mapBytes, String shares, String outputBytes) throws Exception {
    Path input = Files.createDirectories(directory.resolve("in"));
    for (int file = 0; file < FILES; file++) {
      Files.write(input.resolve("file" + file), new byte[150_000]);
    }
    Configuration conf = new Configuration();
    conf.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
    conf.set("mapreduce.framework.name", "local");
    conf.set("fs.defaultFS", "file:///");
    assertThat(
            ToolRunner.run(
                conf,
                new SyntheticJob(),
                new String[] {
                  input.toString(), output().toString(), mapBytes, shares, outputBytes
                }))
        .isZero();
  }

  private Path output() {
    return directory.resolve("out");
  }

  private long parts() throws IOException {
    try (Stream<Path> files = Files.list(output())) {
      return files.filter(file -> file.getFileName().toString().startsWith("part-")).count();
    }
  }

  private long bytes(String part) throws IOException {
    long bytes = 0;
    try (SequenceFile.Reader reader =
        new SequenceFile.Reader(
            new Configuration(),
            SequenceFile.Reader.file(
                new org.apache.hadoop.fs.Path(output().resolve(part).toUri())))) {
      LongWritable key = new LongWritable();
      BytesWritable value = new BytesWritable();
      while (reader.next(key, value)) {
        bytes += value.getLength();
      }
    }
    return bytes;
  }
}
