package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.WeightedShuffle;
import io.orchestra.hadoop.shuffle.WeightedShuffleHandler;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** A job with nodes, maps that have run on them, and a reducer. */
final class RunningJob implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(100);

  /** Maps of a {@link #healthyReducer}. */
  static final int MOST = 40;

  private final Path directory;
  private final Configuration conf = new Configuration();
  private final List<ShuffleNode> nodes = new ArrayList<>();
  private final Map<String, String> expected = new TreeMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  RunningJob(Path directory) {
    this.directory = directory;
    // There are several services in one process.
    DefaultMetricsSystem.setMiniClusterMode(true);
    conf.set("io.serializations", "org.apache.hadoop.io.serializer.WritableSerialization");
  }

  Configuration conf() {
    return conf;
  }

  List<ShuffleNode> nodes() {
    return nodes;
  }

  /** What the reducer is to get. */
  Map<String, String> expected() {
    return expected;
  }

  ShuffleNode node() throws IOException {
    return node(new WeightedShuffleHandler());
  }

  ShuffleNode node(ShuffleHandler service) throws IOException {
    return node(service, new Configuration());
  }

  /**
   * @param settings of the NodeManager
   */
  ShuffleNode node(ShuffleHandler service, Configuration settings) throws IOException {
    ShuffleNode node = new ShuffleNode(directory.resolve("node" + nodes.size()), service, settings);
    nodes.add(node);
    return node;
  }

  Reducer reducer(int maps) throws IOException {
    return new Reducer(directory.resolve("reduce"), nodes.get(0).outputs(), maps, 1, 0);
  }

  Reducer reducerOf(int maps, int count, int length) throws IOException {
    ShuffleNode node = node();
    Reducer reducer = reducer(maps);
    for (int map = 0; map < maps; map++) {
      reducer.finished(map(node, map, count, length), node);
    }
    return reducer;
  }

  /**
   * One that gets enough to go on for all its failures: there are outputs of all maps but number 1.
   */
  Reducer healthyReducer(ShuffleNode node) throws IOException {
    Reducer reducer = reducer(MOST + 1);
    for (int map = 0; map <= MOST; map++) {
      if (map != 1) {
        reducer.finished(map(node, map, 10, 10), node);
      }
    }
    return reducer;
  }

  /** A map with some records for the only reducer. */
  String map(ShuffleNode node, int number, int count, int length) throws IOException {
    return map(node, ShuffledJob.attempt(number), number, count, length, null);
  }

  String map(
      ShuffleNode node, String attempt, int number, int count, int length, CompressionCodec codec)
      throws IOException {
    node.outputs().write(attempt, List.of(part(number, count, length, codec)));
    return attempt;
  }

  /** What a map has for the only reducer. */
  ShuffledJob.Part part(int number, int count, int length, CompressionCodec codec)
      throws IOException {
    Records records = Records.random(number, 0, count, length);
    expected.putAll(records.values());
    return records.part(conf, codec);
  }

  Future<Map<String, String>> start(Reducer reducer) {
    return threads.submit(() -> reducer.run(new WeightedShuffle<Text, Text>()));
  }

  /** What came of it, or the exception it failed with. */
  static Map<String, String> result(Future<Map<String, String>> reducing)
      throws IOException, InterruptedException {
    try {
      return reducing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("the shuffle does not end", e);
    }
  }

  /** How many all nodes have sent. */
  static long ranges() {
    return ServerMetrics.sum("RangesSent");
  }

  /** The same, once there are so many: a node may still have to count what has come already. */
  static long ranges(long least) {
    await().atMost(PATIENCE).until(() -> ranges() >= least);
    return ranges();
  }

  /** So that outputs of megabytes are long. */
  static Reducer withLittleMemory(Reducer reducer) {
    reducer.conf().setLong("mapreduce.reduce.memory.totalbytes", 4 << 20);
    reducer.conf().set("orchestra.shuffle.gate", "always");
    return reducer;
  }

  /** So that an output of 17 to 40 MB comes in ranges, and to memory. */
  static Reducer withMuchMemory(Reducer reducer) {
    reducer.conf().setLong("mapreduce.reduce.memory.totalbytes", 250 << 20);
    reducer.conf().set("orchestra.shuffle.gate", "always");
    return reducer;
  }

  /** Turns a bit; the second time it turns it back. */
  static void corrupt(Path file) throws IOException {
    try (RandomAccessFile data = new RandomAccessFile(file.toFile(), "rw")) {
      data.seek(data.length() / 2);
      int value = data.read();
      data.seek(data.length() / 2);
      data.write(value ^ 1);
    }
  }

  static void assertNoThreadsAreLeft() {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(
                        name ->
                            name.startsWith("fetcher#")
                                || name.startsWith("orchestra-shuffle-")
                                || name.startsWith("ShufflePenaltyReferee")
                                || name.startsWith("EventFetcher")
                                || name.startsWith("InMemoryMerger")
                                || name.startsWith("OnDiskMerger")));
  }

  @Override
  public void close() {
    threads.shutdownNow();
    nodes.forEach(ShuffleNode::close);
  }
}
