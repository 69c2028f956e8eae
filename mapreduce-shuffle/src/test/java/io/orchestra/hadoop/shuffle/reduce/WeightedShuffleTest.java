package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.WeightedShuffle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reducer gets what maps wrote: real services, real map outputs. */
@Timeout(300)
final class WeightedShuffleTest {
  @TempDir Path directory;
  private RunningJob job;

  @BeforeEach
  void begin() {
    job = new RunningJob(directory);
  }

  @AfterEach
  void end() {
    job.close();
  }

  @Test
  void oneMapAndOneReducer() throws IOException, InterruptedException {
    Reducer reducer = job.reducerOf(1, 10, 10);

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(job.expected());
    assertThat(reducer.counter("shuffled")).isEqualTo(1);
    assertThat(ServerMetrics.sum("SizesAnswered")).isEqualTo(1);
  }

  @Test
  void mapsWithoutRecords() throws IOException, InterruptedException {
    assertThat(job.reducerOf(30, 0, 0).run(new WeightedShuffle<>())).isEmpty();
    assertThat(ServerMetrics.sum("SizesAnswered")).isGreaterThanOrEqualTo(2);
  }

  @Test
  void fiveHundredMapsAndTwentyReducersGetWhatTheyGetFromStock()
      throws IOException, InterruptedException {
    for (int number = 0; number < 10; number++) {
      job.node();
    }
    int reduces = 20;
    for (int map = 0; map < 500; map++) {
      List<ShuffledJob.Part> parts = new ArrayList<>();
      for (int reduce = 0; reduce < reduces; reduce++) {
        // Half of a reducer's bytes are on one host.
        int count = map % 10 == reduce % 10 ? 40 : 4;
        parts.add(Records.random(map, reduce, count, 5).part(job.conf(), null));
      }
      job.nodes().get(map % 10).outputs().write(ShuffledJob.attempt(map), parts);
    }
    for (int reduce = 0; reduce < reduces; reduce++) {
      Map<String, String> stock = all(reduce, reduces, "stock").run(new Shuffle<>());
      Reducer weighted = all(reduce, reduces, "weighted");
      long asked = ServerMetrics.sum("SizesAnswered");
      assertThat(weighted.run(new WeightedShuffle<>())).isEqualTo(stock).hasSizeGreaterThan(3000);
      assertThat(ServerMetrics.sum("SizesAnswered")).as("of %s", reduce).isGreaterThan(asked);
      assertThat(weighted.counter("shuffled")).isEqualTo(500);
    }
  }

  private Reducer all(int reduce, int reduces, String name) throws IOException {
    Reducer reducer =
        new Reducer(
            directory.resolve(name + reduce), job.nodes().get(0).outputs(), 500, reduces, reduce);
    for (int map = 0; map < 500; map++) {
      reducer.finished(ShuffledJob.attempt(map), job.nodes().get(map % 10));
    }
    return reducer;
  }

  @Test
  void compressedOutputs() throws IOException, InterruptedException {
    DefaultCodec codec = new DefaultCodec();
    codec.setConf(job.conf());
    ShuffleNode node = job.node();
    Reducer reducer = job.reducer(3);
    reducer.compressed(codec);
    for (int map = 0; map < 3; map++) {
      reducer.finished(job.map(node, ShuffledJob.attempt(map), map, 1000, 20, codec), node);
    }

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(job.expected());
    assertThat(ServerMetrics.sum("SizesAnswered")).isPositive();
  }

  @Test
  void aLongOutputComesInRanges() throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    Reducer reducer = RunningJob.withLittleMemory(job.reducer(1));
    reducer.finished(job.map(node, 0, 20_000, 1000), node);

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(job.expected());
    assertThat(RunningJob.ranges(3)).isBetween(3L, 6L);
    assertThat(reducer.files()).noneMatch(name -> name.endsWith(".ranges"));
  }

  @Test
  void anOutputThatFitsIntoMemoryComesInRangesToo() throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    Reducer reducer = RunningJob.withMuchMemory(job.reducer(1));
    // All stays in memory: no file could be written.
    reducer.conf().set("mapreduce.reduce.input.buffer.percent", "0.9");
    Path file = Files.createFile(directory.resolve("no directory"));
    reducer.conf().set(MRConfig.LOCAL_DIR, file.resolve("below").toString());
    reducer.finished(job.map(node, 0, 40_000, 1000), node);

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(job.expected());
    assertThat(RunningJob.ranges(5)).isBetween(5L, 12L);
  }

  @Test
  void whatIsMergedInMemoryIsCombined() throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    Reducer reducer = RunningJob.withMuchMemory(job.reducer(3));
    reducer.combining();
    // A merge begins when all outputs are there.
    reducer.conf().set("mapreduce.reduce.shuffle.merge.percent", "0.3");
    for (int map = 0; map < 3; map++) {
      reducer.finished(job.map(node, map, 20_000, 1000), node);
    }

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(job.expected());
    assertThat(RunningJob.ranges(7)).isGreaterThan(6);
    assertThat(reducer.counter("combine input")).isEqualTo(60_000);
    assertThat(reducer.counter("combine output")).isEqualTo(reducer.counter("combine input"));
  }

  @Test
  void anOutputOfThreeHundredMegabytes() throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    Reducer reducer = RunningJob.withLittleMemory(job.reducer(1));
    LargeOutput output = new LargeOutput(300);
    output.write(node.outputs(), ShuffledJob.attempt(0), job.conf());
    reducer.finished(ShuffledJob.attempt(0), node);

    output.verify(reducer);
    assertThat(reducer.counter("bytes")).isGreaterThan(300L << 20);
    assertThat(RunningJob.ranges(11)).isGreaterThan(10);
    assertThat(ServerMetrics.sum("ConnectionsUsedAgain")).isPositive();
  }

  @Test
  void aLongCompressedOutputComesInRanges() throws IOException, InterruptedException {
    DefaultCodec codec = new DefaultCodec();
    codec.setConf(job.conf());
    ShuffleNode node = job.node();
    Reducer reducer = RunningJob.withLittleMemory(job.reducer(1));
    reducer.compressed(codec);
    reducer.finished(job.map(node, ShuffledJob.attempt(0), 0, 20_000, 1000, codec), node);

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(job.expected());
    assertThat(RunningJob.ranges(1)).isPositive();
  }

  @Test
  void anEncryptedSpillComesWhole() throws IOException, InterruptedException {
    Credentials credentials = new Credentials();
    TokenCache.setEncryptedSpillKey(new byte[16], credentials);
    UserGroupInformation.getCurrentUser().addCredentials(credentials);
    ShuffleNode node = job.node();
    Reducer reducer = RunningJob.withLittleMemory(job.reducer(1));
    reducer.conf().setBoolean("mapreduce.job.encrypted-intermediate-data", true);
    LargeOutput output = new LargeOutput(20);
    output.write(node.outputs(), ShuffledJob.attempt(0), reducer.conf());
    assertThat(node.outputs().directory(0).resolve("file.out"))
        .content(StandardCharsets.ISO_8859_1)
        .doesNotContain("0000001");
    reducer.finished(ShuffledJob.attempt(0), node);

    output.verify(reducer);
    assertThat(ServerMetrics.sum("SizesAnswered")).isEqualTo(1);
    assertThat(RunningJob.ranges()).isZero();
  }

  @Test
  void rangesCanBeSwitchedOff() throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    Reducer reducer = RunningJob.withLittleMemory(job.reducer(1));
    reducer.conf().setBoolean("orchestra.shuffle.ranges", false);
    reducer.finished(job.map(node, 0, 20_000, 1000), node);

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(job.expected());
    assertThat(RunningJob.ranges()).isZero();
  }

  @Test
  void aHostWithStocksHandlerAmongOthers() throws IOException, InterruptedException {
    ShuffleNode ours = job.node();
    ShuffleNode stock = job.node(new ShuffleHandler());
    Reducer reducer = job.reducer(40);
    for (int map = 0; map < 40; map++) {
      ShuffleNode node = map % 2 == 0 ? ours : stock;
      reducer.finished(job.map(node, map, 10, 10), node);
    }

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(job.expected());
    assertThat(reducer.counter("failed")).isZero();
    assertThat(ServerMetrics.sum("SizesAnswered")).isPositive();
  }

  @Test
  void mapsThatFinishOneAfterTheOther() throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    Reducer reducer = job.reducer(3);
    Future<Map<String, String>> reducing = job.start(reducer);
    for (int map = 0; map < 3; map++) {
      int done = map;
      await()
          .atMost(RunningJob.PATIENCE)
          .untilAsserted(() -> assertThat(reducer.counter("shuffled")).isEqualTo(done));
      reducer.finished(job.map(node, map, 10, 10), node);
    }

    assertThat(RunningJob.result(reducing)).isEqualTo(job.expected());
  }

  @Test
  void nothingRunsAfterTheShuffle() throws IOException, InterruptedException {
    Reducer reducer = job.reducerOf(20, 100, 100);
    reducer.conf().set("orchestra.shuffle.gate", "always");

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(job.expected());
    assertThat(ServerMetrics.sum("SizesAnswered")).isPositive();
    RunningJob.assertNoThreadsAreLeft();
  }

  @Test
  void whatIsMergedOnDiskLiesWhereStockPutsIt() throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    for (int map = 0; map < 3; map++) {
      job.map(node, map, 8000 + map * 2000, 1000);
    }

    assertThat(mergedOnDisk(new WeightedShuffle<>(), node))
        .isNotEmpty()
        .isEqualTo(mergedOnDisk(new Shuffle<>(), node));
    assertThat(RunningJob.ranges(4)).isGreaterThan(3);
  }

  /** Where the files are that were merged during the shuffle. */
  private Set<String> mergedOnDisk(ShuffleConsumerPlugin<Text, Text> shuffle, ShuffleNode node)
      throws IOException, InterruptedException {
    String name = shuffle.getClass().getSimpleName();
    Reducer reducer =
        RunningJob.withLittleMemory(new Reducer(directory.resolve(name), node.outputs(), 3, 1, 0));
    reducer.conf().setInt("mapreduce.task.io.sort.factor", 2);
    for (int map = 0; map < 3; map++) {
      reducer.finished(ShuffledJob.attempt(map), node);
    }
    Set<String> merged = new HashSet<>();
    Map<String, String> records = new TreeMap<>();
    reducer.run(
        shuffle,
        (key, value) -> {
          if (records.isEmpty()) {
            reducer.files().stream()
                .filter(file -> file.endsWith(".merged"))
                .forEach(file -> merged.add(file.replace(name, "")));
          }
          records.put(key, value);
        });
    assertThat(records).isEqualTo(job.expected());
    return merged;
  }
}
