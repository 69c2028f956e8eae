package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.shuffle.WeightedShuffle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ReduceTask;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.lib.LongSumReducer;
import org.apache.hadoop.mapred.lib.TokenCountMapper;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job whose tasks all run in its client, where there is nothing to fetch. */
@Timeout(300)
final class LocalJobTest {
  private static final int REDUCES = 2;

  @TempDir Path directory;

  @BeforeAll
  static void severalJobsInOneProcess() {
    DefaultMetricsSystem.setMiniClusterMode(true);
  }

  @Test
  void writesWhatItWritesWithHadoopsShuffle() throws IOException {
    Path input = Files.createDirectory(directory.resolve("input"));
    for (int map = 0; map < 3; map++) {
      Files.writeString(
          input.resolve("file" + map),
          String.join(" ", IntStream.range(0, 1000).mapToObj(word -> "w" + word % 70).toList()));
    }
    Map<String, String> stock = output(Shuffle.class, input);

    try (LogLines reducers = new LogLines(ReduceTask.class);
        LogLines lanes = new LogLines(LaneShuffle.class)) {
      assertThat(output(WeightedShuffle.class, input)).isEqualTo(stock).hasSize(REDUCES);
      assertThat(reducers.lines())
          .filteredOn(line -> line.contains(WeightedShuffle.class.getName()))
          .hasSize(REDUCES);
      assertThat(lanes.lines()).isEmpty();
    }
  }

  /** Bytes of each file that the job writes, by name. */
  private Map<String, String> output(Class<?> shuffle, Path input) throws IOException {
    JobConf conf = new JobConf();
    conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
    conf.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
    conf.setClass(MRConfig.SHUFFLE_CONSUMER_PLUGIN, shuffle, ShuffleConsumerPlugin.class);
    conf.setMapperClass(TokenCountMapper.class);
    conf.setReducerClass(LongSumReducer.class);
    conf.setOutputKeyClass(Text.class);
    conf.setOutputValueClass(LongWritable.class);
    conf.setNumReduceTasks(REDUCES);
    FileInputFormat.setInputPaths(conf, new org.apache.hadoop.fs.Path(input.toString()));
    Path output = directory.resolve(shuffle.getSimpleName());
    FileOutputFormat.setOutputPath(conf, new org.apache.hadoop.fs.Path(output.toString()));
    assertThat(JobClient.runJob(conf).isSuccessful()).isTrue();

    Map<String, String> files = new TreeMap<>();
    for (int reduce = 0; reduce < REDUCES; reduce++) {
      String name = "part-%05d".formatted(reduce);
      String content = Files.readString(output.resolve(name), StandardCharsets.ISO_8859_1);
      assertThat(content).isNotEmpty();
      files.put(name, content);
    }
    return files;
  }
}
