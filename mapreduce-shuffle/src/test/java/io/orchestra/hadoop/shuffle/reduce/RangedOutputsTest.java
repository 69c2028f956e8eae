package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.algorithm.Share;
import io.orchestra.hadoop.shuffle.rpc.OutputSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MROutputFiles;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RangedOutputsTest {
  private static final TaskAttemptID FIRST = TaskAttemptID.forName(ShuffledJob.attempt(0));
  private static final TaskAttemptID SECOND = TaskAttemptID.forName(ShuffledJob.attempt(0, 1));
  private static final Sources.Size SIZE = new Sources.Size(new Share(6, 6), 6);

  @TempDir Path directory;
  private RangedOutputs<Text, Text> outputs;

  @BeforeEach
  void begin() {
    Configuration conf = new JobConf();
    conf.set(MRConfig.LOCAL_DIR, directory.toString());
    MROutputFiles files = new MROutputFiles();
    files.setConf(conf);
    outputs = new RangedOutputs<>(null, files, 0);
  }

  private RangedOutput<Text, Text> get(TaskAttemptID output) throws IOException {
    return outputs.get(output, SIZE).orElseThrow();
  }

  private long files() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".ranges")).count();
    }
  }

  @Test
  void allLanesBringTheSameOutput() throws IOException {
    assertThat(get(FIRST)).isSameAs(get(FIRST)).isNotSameAs(get(SECOND));
    outputs.abort();
  }

  @Test
  void whatThereIsNoRoomForFailsOnceAndDoesNotComeInRanges() throws IOException {
    long length = OutputSize.LARGEST;
    Sources.Size tooLarge = new Sources.Size(new Share(length, length), length);

    assertThatIOException().isThrownBy(() -> outputs.get(FIRST, tooLarge));
    assertThat(outputs.get(FIRST, tooLarge)).isEmpty();
  }

  @Test
  void whatIsNotNeededAnyMoreIsDroppedAtOnce() throws IOException {
    RangedOutput<Text, Text> first = get(FIRST);
    RangedOutput<Text, Text> second = get(SECOND);
    outputs.retain(SECOND::equals);

    assertThat(files()).isEqualTo(1);
    assertThat(first.isAbandoned()).isTrue();
    assertThat(second.isAbandoned()).isFalse();
    assertThat(outputs.get(FIRST, SIZE)).isEmpty();
    assertThat(outputs.count()).as("what came to its end").isZero();
    outputs.abort();
    assertThat(files()).isZero();
  }
}
