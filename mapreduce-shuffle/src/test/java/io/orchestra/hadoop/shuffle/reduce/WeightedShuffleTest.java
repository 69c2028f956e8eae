package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.WeightedShuffle;
import io.orchestra.hadoop.shuffle.WeightedShuffleHandler;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.ServerSocket;
import java.nio.file.Files;
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
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reducer gets what maps wrote, whatever happens on the way: real services, real map outputs. */
@Timeout(120)
final class WeightedShuffleTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final int MOST = 40;

  @TempDir Path directory;
  private final Configuration conf = new Configuration();
  private final List<ShuffleNode> nodes = new ArrayList<>();
  private final Map<String, String> expected = new TreeMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @BeforeAll
  static void severalServicesInOneProcess() {
    DefaultMetricsSystem.setMiniClusterMode(true);
  }

  @BeforeEach
  void knowTheKindOfData() {
    conf.set("io.serializations", "org.apache.hadoop.io.serializer.WritableSerialization");
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
    nodes.forEach(ShuffleNode::close);
  }

  private ShuffleNode node() throws IOException {
    return node(new WeightedShuffleHandler());
  }

  private ShuffleNode node(ShuffleHandler service) throws IOException {
    ShuffleNode node = new ShuffleNode(directory.resolve("node" + nodes.size()), service);
    nodes.add(node);
    return node;
  }

  private Reducer reducer(int maps) throws IOException {
    return new Reducer(directory.resolve("reduce"), nodes.get(0).outputs(), maps, 1, 0);
  }

  /** A map with some records for the only reducer. */
  private String map(ShuffleNode node, int number, int count, int length) throws IOException {
    return map(node, ShuffledJob.attempt(number), number, count, length, null);
  }

  private String map(
      ShuffleNode node, String attempt, int number, int count, int length, CompressionCodec codec)
      throws IOException {
    Records records = Records.random(number, 0, count, length);
    expected.putAll(records.values());
    node.outputs().write(attempt, List.of(records.part(conf, codec)));
    return attempt;
  }

  private Future<Map<String, String>> start(Reducer reducer) {
    return threads.submit(() -> reducer.run(new WeightedShuffle<Text, Text>()));
  }

  /** What came of it, or the exception it failed with. */
  private static Map<String, String> result(Future<Map<String, String>> reducing)
      throws IOException, InterruptedException {
    try {
      return reducing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("the shuffle does not end", e);
    }
  }

  private static long ranges() {
    return ServerMetrics.sum("RangesSent");
  }

  @Test
  void oneMapAndOneReducer() throws IOException, InterruptedException {
    Reducer reducer = reducerOf(1, 10, 10);

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(expected);
    assertThat(reducer.counter("shuffled")).isEqualTo(1);
    assertThat(ServerMetrics.sum("SizesAnswered")).isEqualTo(1);
  }

  private Reducer reducerOf(int maps, int count, int length) throws IOException {
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
  private Reducer healthyReducer(ShuffleNode node) throws IOException {
    Reducer reducer = reducer(MOST + 1);
    for (int map = 0; map <= MOST; map++) {
      if (map != 1) {
        reducer.finished(map(node, map, 10, 10), node);
      }
    }
    return reducer;
  }

  @Test
  void mapsWithoutRecords() throws IOException, InterruptedException {
    assertThat(reducerOf(30, 0, 0).run(new WeightedShuffle<>())).isEmpty();
  }

  @Test
  void fiveHundredMapsAndTwentyReducersGetWhatTheyGetFromStock()
      throws IOException, InterruptedException {
    for (int number = 0; number < 10; number++) {
      node();
    }
    int reduces = 20;
    for (int map = 0; map < 500; map++) {
      List<ShuffledJob.Part> parts = new ArrayList<>();
      for (int reduce = 0; reduce < reduces; reduce++) {
        // Half of a reducer's bytes are on one host.
        int count = map % 10 == reduce % 10 ? 40 : 4;
        parts.add(Records.random(map, reduce, count, 5).part(conf, null));
      }
      nodes.get(map % 10).outputs().write(ShuffledJob.attempt(map), parts);
    }
    for (int reduce = 0; reduce < reduces; reduce++) {
      Map<String, String> stock = all(reduce, reduces, "stock").run(new Shuffle<>());
      Reducer weighted = all(reduce, reduces, "weighted");
      assertThat(weighted.run(new WeightedShuffle<>())).isEqualTo(stock).hasSizeGreaterThan(3000);
      assertThat(weighted.counter("shuffled")).isEqualTo(500);
    }
  }

  private Reducer all(int reduce, int reduces, String name) throws IOException {
    Reducer reducer =
        new Reducer(directory.resolve(name + reduce), nodes.get(0).outputs(), 500, reduces, reduce);
    for (int map = 0; map < 500; map++) {
      reducer.finished(ShuffledJob.attempt(map), nodes.get(map % 10));
    }
    return reducer;
  }

  @Test
  void compressedOutputs() throws IOException, InterruptedException {
    DefaultCodec codec = new DefaultCodec();
    codec.setConf(conf);
    ShuffleNode node = node();
    Reducer reducer = reducer(3);
    reducer.compressed(codec);
    for (int map = 0; map < 3; map++) {
      reducer.finished(map(node, ShuffledJob.attempt(map), map, 1000, 20, codec), node);
    }

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(expected);
  }

  /** So that outputs of megabytes are long. */
  private static Reducer withLittleMemory(Reducer reducer) {
    reducer.conf().setLong("mapreduce.reduce.memory.totalbytes", 4 << 20);
    reducer.conf().set("orchestra.shuffle.gate", "always");
    return reducer;
  }

  @Test
  void aLongOutputComesInRanges() throws IOException, InterruptedException {
    ShuffleNode node = node();
    Reducer reducer = withLittleMemory(reducer(1));
    reducer.finished(map(node, 0, 20_000, 1000), node);

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(expected);
    assertThat(ranges()).isBetween(3L, 6L);
    assertThat(files(reducer)).noneMatch(name -> name.endsWith(".ranges"));
  }

  @Test
  void anOutputOfThreeHundredMegabytes() throws IOException, InterruptedException {
    ShuffleNode node = node();
    Reducer reducer = withLittleMemory(reducer(1));
    LargeOutput output = new LargeOutput(300);
    output.write(node.outputs(), ShuffledJob.attempt(0), conf);
    reducer.finished(ShuffledJob.attempt(0), node);

    output.verify(reducer);
    assertThat(reducer.counter("bytes")).isGreaterThan(300L << 20);
    assertThat(ranges()).isGreaterThan(10);
  }

  @Test
  void aLongCompressedOutputComesInRanges() throws IOException, InterruptedException {
    DefaultCodec codec = new DefaultCodec();
    codec.setConf(conf);
    ShuffleNode node = node();
    Reducer reducer = withLittleMemory(reducer(1));
    reducer.compressed(codec);
    reducer.finished(map(node, ShuffledJob.attempt(0), 0, 20_000, 1000, codec), node);

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(expected);
    assertThat(ranges()).isPositive();
  }

  @Test
  void aHostThatTakesFewConnectionsIsAskedAgainAndHasNotFailed()
      throws IOException, InterruptedException {
    Configuration few = new Configuration();
    few.setInt(ShuffleHandler.MAX_SHUFFLE_CONNECTIONS, 2);
    ShuffleNode node = new ShuffleNode(directory.resolve("few"), new WeightedShuffleHandler(), few);
    nodes.add(node);
    Reducer reducer = withLittleMemory(reducer(2));
    reducer.finished(map(node, 0, 40_000, 1000), node);
    reducer.finished(map(node, 1, 40_000, 1000), node);

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(expected);
    assertThat(reducer.counter("failed")).isZero();
    assertThat(ranges()).isGreaterThan(10);
  }

  @Test
  void rangesCanBeSwitchedOff() throws IOException, InterruptedException {
    ShuffleNode node = node();
    Reducer reducer = withLittleMemory(reducer(1));
    reducer.conf().setBoolean("orchestra.shuffle.ranges", false);
    reducer.finished(map(node, 0, 20_000, 1000), node);

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(expected);
    assertThat(ranges()).isZero();
  }

  private static List<String> files(Reducer reducer) throws IOException {
    try (var files = Files.walk(reducer.directory())) {
      return files.filter(Files::isRegularFile).map(Path::toString).toList();
    }
  }

  @Test
  void aHostWithStocksHandlerAmongOthers() throws IOException, InterruptedException {
    ShuffleNode ours = node();
    ShuffleNode stock = node(new ShuffleHandler());
    Reducer reducer = reducer(40);
    for (int map = 0; map < 40; map++) {
      ShuffleNode node = map % 2 == 0 ? ours : stock;
      reducer.finished(map(node, map, 10, 10), node);
    }

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(expected);
    assertThat(reducer.counter("failed")).isZero();
    assertThat(ServerMetrics.sum("SizesAnswered")).isPositive();
  }

  @Test
  void mapsThatFinishOneAfterTheOther() throws IOException, InterruptedException {
    ShuffleNode node = node();
    Reducer reducer = reducer(3);
    Future<Map<String, String>> reducing = start(reducer);
    for (int map = 0; map < 3; map++) {
      int done = map;
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(reducer.counter("shuffled")).isEqualTo(done));
      reducer.finished(map(node, map, 10, 10), node);
    }

    assertThat(result(reducing)).isEqualTo(expected);
  }

  @Test
  void anObsoleteOutputOnAHostThatIsGoneIsReplacedByAnother()
      throws IOException, InterruptedException {
    ShuffleNode node = node();
    ShuffleNode gone = node();
    Reducer reducer = healthyReducer(node);
    reducer.finished(ShuffledJob.attempt(1), gone);
    gone.stop();
    Future<Map<String, String>> reducing = start(reducer);
    await().atMost(PATIENCE).until(() -> reducer.counter("failed") > 0);
    String again = ShuffledJob.attempt(1, 1);
    map(node, again, 1, 10, 10, null);
    reducer.obsolete(ShuffledJob.attempt(1));
    reducer.finished(again, node);

    assertThat(result(reducing)).isEqualTo(expected);
    assertThat(reducer.accused()).containsOnly(ShuffledJob.attempt(1));
  }

  @Test
  void aHostThatRestartsWhileItServesIsFetchedFromAgain() throws IOException, InterruptedException {
    ShuffleNode node = node();
    Reducer reducer = healthyReducer(node);
    Future<Map<String, String>> reducing = start(reducer);
    await().atMost(PATIENCE).until(() -> reducer.counter("shuffled") == MOST);
    node.stop();
    reducer.finished(map(node, 1, 1000, 100), node);
    await().atMost(PATIENCE).until(() -> reducer.counter("failed") > 0);
    node.restart(new WeightedShuffleHandler());

    assertThat(result(reducing)).isEqualTo(expected);
  }

  @Test
  void aDeletedOutputIsReportedAndItsReplacementFetched() throws IOException, InterruptedException {
    aBrokenOutputIsReportedAndReplaced(1000, Files::delete, 0);
  }

  @Test
  void aCorruptOutputIsReportedAndItsReplacementFetched() throws IOException, InterruptedException {
    aBrokenOutputIsReportedAndReplaced(1000, WeightedShuffleTest::corrupt, 0);
  }

  @Test
  void aCorruptOutputThatComesInRangesIsFetchedWholeThenReportedAndReplaced()
      throws IOException, InterruptedException {
    aBrokenOutputIsReportedAndReplaced(200_000, WeightedShuffleTest::corrupt, 3);
  }

  @Test
  void anOutputThatIsCutShortInRangesIsReportedAndReplaced()
      throws IOException, InterruptedException {
    aBrokenOutputIsReportedAndReplaced(
        200_000,
        file -> {
          try (RandomAccessFile data = new RandomAccessFile(file.toFile(), "rw")) {
            data.setLength(data.length() / 2);
          }
        },
        0);
  }

  /** Does something bad to a file. */
  @FunctionalInterface
  private interface Harm {
    void to(Path file) throws IOException;
  }

  private static void corrupt(Path file) throws IOException {
    try (RandomAccessFile data = new RandomAccessFile(file.toFile(), "rw")) {
      data.seek(data.length() / 2);
      int value = data.read();
      data.seek(data.length() / 2);
      data.write(value ^ 1);
    }
  }

  private void aBrokenOutputIsReportedAndReplaced(int records, Harm harm, long leastRanges)
      throws IOException, InterruptedException {
    ShuffleNode node = node();
    Reducer reducer = withLittleMemory(healthyReducer(node));
    String broken = map(node, 1, records, 100);
    harm.to(node.outputs().directory(broken).resolve("file.out"));
    reducer.finished(broken, node);
    Future<Map<String, String>> reducing = start(reducer);
    await().atMost(PATIENCE).until(() -> reducer.accused().contains(broken));
    assertThat(ranges()).isGreaterThanOrEqualTo(leastRanges);
    String again = ShuffledJob.attempt(1, 1);
    map(node, again, 1, records, 100, null);
    reducer.obsolete(broken);
    reducer.finished(again, node);

    assertThat(result(reducing)).isEqualTo(expected);
    assertThat(reducer.accused()).containsOnly(broken);
  }

  @Test
  void aFailureOfAHostCountsOnceHoweverManyLanesMeetIt() throws IOException, InterruptedException {
    ShuffleNode node = node();
    Reducer reducer = reducer(60);
    reducer.conf().set("orchestra.shuffle.gate", "always");
    // So long that the host is not asked a second time.
    reducer.conf().setLong("mapreduce.reduce.shuffle.retry-delay.max.ms", 60_000);
    for (int map = 0; map < 60; map++) {
      reducer.finished(map(node, map, 100, 100), node);
    }
    IntStream.range(0, 60).forEach(map -> delete(node, map));
    Future<Map<String, String>> reducing = start(reducer);

    // As stock: a reducer that cannot fetch anything gives up.
    assertThatIOException()
        .isThrownBy(() -> result(reducing))
        .withStackTraceContaining("MAX_FAILED_UNIQUE_FETCHES");
    // As many as one request of stock's asks for.
    assertThat(reducer.counter("failed")).isEqualTo(20);
    assertNoThreadsAreLeft();
  }

  private static void delete(ShuffleNode node, int map) {
    try {
      Files.delete(node.outputs().directory(map).resolve("file.out"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void nothingRunsAfterTheShuffle() throws IOException, InterruptedException {
    Reducer reducer = reducerOf(20, 100, 100);
    reducer.conf().set("orchestra.shuffle.gate", "always");

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(expected);
    assertNoThreadsAreLeft();
  }

  private static void assertNoThreadsAreLeft() {
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(
                        name ->
                            name.startsWith("fetcher#")
                                || name.startsWith("orchestra-shuffle-sizes")
                                || name.startsWith("ShufflePenaltyReferee")
                                || name.startsWith("EventFetcher")));
  }

  @Test
  void aHostThatNeverAnswersDoesNotHoldUpTheOthers() throws IOException, InterruptedException {
    ShuffleNode node = node();
    try (ServerSocket mute = new ServerSocket(0)) {
      Reducer reducer = healthyReducer(node);
      reducer.conf().setInt("mapreduce.reduce.shuffle.read.timeout", 1000);
      reducer.finished(ShuffledJob.attempt(1), "http://localhost:" + mute.getLocalPort());
      Future<Map<String, String>> reducing = start(reducer);
      await().atMost(PATIENCE).until(() -> reducer.counter("shuffled") == MOST);
      await().atMost(PATIENCE).until(() -> reducer.counter("failed") > 0);
      String again = ShuffledJob.attempt(1, 1);
      map(node, again, 1, 10, 10, null);
      reducer.obsolete(ShuffledJob.attempt(1));
      reducer.finished(again, node);

      assertThat(result(reducing)).isEqualTo(expected);
    }
  }

  @Test
  void anOutputThatIsRepairedIsFetchedInTheEnd() throws IOException, InterruptedException {
    ShuffleNode node = node();
    Reducer reducer = withLittleMemory(healthyReducer(node));
    String attempt = map(node, 1, 20_000, 1000);
    reducer.finished(attempt, node);
    corrupt(node.outputs().directory(attempt).resolve("file.out"));
    Future<Map<String, String>> reducing = start(reducer);
    await().atMost(PATIENCE).until(() -> reducer.accused().contains(attempt));
    corrupt(node.outputs().directory(attempt).resolve("file.out"));

    assertThat(result(reducing)).isEqualTo(expected);
  }

  @Test
  void isStockWhereItIsSwitchedOffOrCannotReadItsSettings()
      throws IOException, InterruptedException {
    ShuffleNode node = node();
    String attempt = map(node, 0, 10, 10);
    for (Map.Entry<String, String> setting :
        Map.of("orchestra.shuffle.enabled", "false", "orchestra.shuffle.gate", "ajar").entrySet()) {
      Reducer reducer = new Reducer(directory.resolve(setting.getValue()), node.outputs(), 1, 1, 0);
      reducer.conf().set(setting.getKey(), setting.getValue());
      reducer.finished(attempt, node);

      assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(expected);
    }
    assertThat(ServerMetrics.sum("SizesAnswered")).isZero();
  }
}
